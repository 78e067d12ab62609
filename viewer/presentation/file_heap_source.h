#pragma once
// A snapshot file as a HeapSource: the small tables at once, objects chunk by chunk as they are asked for.

#include <memory>

#include "snapshot-format/file/snapshot_reader.h"
#include "viewer/presentation/heap_source.h"

namespace cairn::presentation {

class FileHeapSource : public HeapSource {
 public:
  // Errors: those of SnapshotReader::Open.
  static Result<std::unique_ptr<FileHeapSource>> Open(const std::string& path);

  const snapshot::Summary& Summary() const override { return reader_->Summary(); }
  const std::string& Path() const override { return reader_->Path(); }
  uint64_t FileBytes() const override { return reader_->FileBytes(); }
  Status VisitObjects(const ObjectFilter& filter, const std::function<bool(const HeapObject&)>& visit) override;
  Result<HeapObject> FindObject(const ObjectName& name) override;

  snapshot::SnapshotReader& Reader() { return *reader_; }

 private:
  explicit FileHeapSource(std::unique_ptr<snapshot::SnapshotReader> reader) : reader_(std::move(reader)) {}

  snapshot::Generation GenerationOf(const snapshot::ChunkInfo& chunk) const;
  HeapObject ObjectAt(const snapshot::ChunkInfo& chunk, size_t position) const;
  Result<HeapObject> FindInChunk(const snapshot::ChunkInfo& chunk, size_t number, const ObjectName& name);

  std::unique_ptr<snapshot::SnapshotReader> reader_;
  stream::DecodedChunk decoded_;  // reused
};

}  // namespace cairn::presentation
