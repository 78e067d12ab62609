#pragma once
// A snapshot file as the source of a graph. Every cursor has a reader of its own.
// Thread rule: every method from any thread. Ownership: outlives its cursors and the graph.

#include <memory>
#include <vector>

#include "snapshot-format/file/snapshot_reader.h"
#include "viewer/analysis/chunk_source.h"

namespace cairn::session {

class FileChunkSource : public analysis::ChunkSource {
 public:
  // `reader` is used for its summary and to open others.
  static Result<std::unique_ptr<FileChunkSource>> Create(std::unique_ptr<snapshot::SnapshotReader> reader);

  const snapshot::Summary& GetSummary() const override { return reader_->Summary(); }
  const std::vector<snapshot::ChunkInfo>& Chunks() const override { return *chunks_; }
  Result<std::unique_ptr<analysis::ChunkCursor>> NewCursor() const override;
  const snapshot::SnapshotReader& Reader() const { return *reader_; }

 private:
  FileChunkSource(std::unique_ptr<snapshot::SnapshotReader> reader, const std::vector<snapshot::ChunkInfo>* chunks)
      : reader_(std::move(reader)), chunks_(chunks) {}

  std::unique_ptr<snapshot::SnapshotReader> reader_;
  const std::vector<snapshot::ChunkInfo>* chunks_;
};

}  // namespace cairn::session
