#pragma once
// One spool block → the payload of one kChunk frame: type ids ranked, each column one zstd frame.
// After the pause, outside the runtime. Thread rule: one thread per packer.

#include <cstdint>
#include <span>
#include <vector>

#include "collector/capture/column_compressor.h"
#include "collector/capture/type_ranking.h"
#include "collector/walk/heap_walker.h"

namespace cairn::collector {

class ChunkPacker {
 public:
  // `ranks`: for each type id of the block its rank, or TypeRanking::kNone. Outlives the packer.
  explicit ChunkPacker(std::span<const uint32_t> ranks);
  ChunkPacker(const ChunkPacker&) = delete;
  ChunkPacker& operator=(const ChunkPacker&) = delete;

  // The bytes stay valid until the next call. nullptr: out of memory, or a block that names a type which
  // has no rank (a fault of ours).
  const std::vector<uint8_t>* Pack(const SpoolBlock& block);

 private:
  uint32_t Rank(uint64_t id) const { return id < ranks_.size() ? ranks_[id] : TypeRanking::kNone; }
  bool RankTypes(const SpoolBlock& block);

  std::span<const uint32_t> ranks_;
  ColumnCompressor compressor_;
  std::vector<uint8_t> types_;
  std::vector<uint8_t> compressed_[stream::kColumnCount];
  std::vector<uint8_t> payload_;
};

}  // namespace cairn::collector
