#pragma once
// Objects in address order become the chunks of a snapshot. All are of types whose size and number of references are
// told per object, since other formats know no layouts.
// Thread rule: one thread. Ownership: observes the writer.

#include <cstdint>
#include <span>
#include <vector>

#include "snapshot-format/file/snapshot_writer.h"
#include "snapshot-format/stream/chunk_encoder.h"

namespace cairn::convert {

class ChunkFile {
 public:
  ChunkFile(snapshot::SnapshotWriter& writer, size_t types, unsigned unit_shift);

  void BeginRange(uint32_t range);
  // `targets` are addresses, none of them null.
  Status Add(uint32_t type, uint64_t address, uint64_t bytes, std::span<const uint64_t> targets);
  Status EndRange();

  uint64_t Chunks() const { return chunks_; }

 private:
  Status NextChunk();
  Status Store();
  stream::SlotPredictor& PredictorOf(uint32_t type);

  snapshot::SnapshotWriter& writer_;
  std::vector<std::vector<uint8_t>> buffers_;
  std::vector<std::vector<uint64_t>> cells_;  // per type, when it was met
  std::vector<stream::SlotPredictor> predictors_;
  std::vector<stream::ChunkEncoder> encoder_;  // one
  uint32_t range_ = 0, sequence_ = 0;
  uint64_t chunks_ = 0;
};

}  // namespace cairn::convert
