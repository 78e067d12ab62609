#pragma once
// Where a graph comes from: the small tables, and chunks that can be read in any order. A snapshot file is
// one (see session); tests lay out others in memory.

#include <cstdint>
#include <memory>
#include <vector>

#include "snapshot-format/file/model.h"
#include "snapshot-format/file/result.h"
#include "snapshot-format/file/snapshot_reader.h"
#include "snapshot-format/stream/chunk_decoder.h"
#include "snapshot-format/stream/contents_decoder.h"

namespace cairn::analysis {

// Reads for one thread.
class ChunkCursor {
 public:
  virtual ~ChunkCursor() = default;
  virtual Status Read(size_t chunk, stream::DecodedChunk& out) = 0;
  // Of the same, which slots are null; costs a fraction of it.
  virtual Status ReadSlotMap(size_t chunk, stream::SlotMap& out) = 0;
  // Values, hashes and texts of a chunk, of which Read gave `objects`. Not every source has them.
  virtual Status ReadContents(size_t /*chunk*/, const stream::DecodedChunk& /*objects*/,
                              stream::DecodedContents& /*out*/) {
    return Fail(ErrorKind::kFailed, "contents.missing", "This source keeps no contents of objects.");
  }
  virtual Result<std::vector<snapshot::Field>> Fields(uint32_t type) = 0;
};

// Thread rule: every method from any thread. Ownership: outlives the graph and its cursors.
class ChunkSource {
 public:
  virtual ~ChunkSource() = default;
  virtual const snapshot::Summary& GetSummary() const = 0;
  // In address order.
  virtual const std::vector<snapshot::ChunkInfo>& Chunks() const = 0;
  virtual Result<std::unique_ptr<ChunkCursor>> NewCursor() const = 0;
};

}  // namespace cairn::analysis
