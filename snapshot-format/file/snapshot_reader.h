#pragma once
// Opens a snapshot for reading; the file may be hostile, cut or of a newer version.
// Thread rule: Summary() is safe from any thread; ReadChunk and ReadFields need one reader per thread
// (see Another). Ownership: everything returned is the caller's.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "snapshot-format/file/limits.h"
#include "snapshot-format/file/model.h"
#include "snapshot-format/file/result.h"
#include "snapshot-format/stream/chunk_decoder.h"
#include "snapshot-format/stream/contents_decoder.h"

namespace cairn::snapshot {

struct ChunkInfo {
  stream::ChunkHeader header;
  uint64_t first_object = 0;  // index of its first object in the whole snapshot
  uint32_t frames = 0;        // columns that are not empty
};

class SnapshotReader {
 public:
  // Errors: snapshot.missing (kFailed: no such file), snapshot.not_cairn, snapshot.newer_version, snapshot.draft,
  // snapshot.damaged, snapshot.unfinished (no completeness record): all others kDamaged; and
  // snapshot.unreadable (kFailed: the system refuses to read it).
  static Result<std::unique_ptr<SnapshotReader>> Open(const std::string& path, const Limits& limits = {});
  // Another reader of the same file for another thread; it shares the summary instead of reading it again.
  Result<std::unique_ptr<SnapshotReader>> Another() const;
  ~SnapshotReader();

  const snapshot::Summary& Summary() const;
  const std::string& Path() const;
  uint64_t FileBytes() const;

  // All chunks in address order. Read and checked at Open.
  Result<const std::vector<ChunkInfo>*> Chunks();
  // Reads, checks and decodes one chunk, an index into Chunks().
  Status ReadChunk(size_t chunk, stream::DecodedChunk& out);
  // See ChunkDecoder::DecodeSlotMap.
  Status ReadSlotMap(size_t chunk, stream::SlotMap& out);
  // Values, hashes and texts of a chunk that ReadChunk has read: `chunk` is its index, `objects` what it gave.
  Status ReadContents(size_t chunk, const stream::DecodedChunk& objects, stream::DecodedContents& out);
  // Instance fields of a type, by offset.
  Result<std::vector<Field>> ReadFields(uint32_t type);

 private:
  struct Impl;
  explicit SnapshotReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::snapshot
