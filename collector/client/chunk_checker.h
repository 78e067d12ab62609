#pragma once
// Decodes every chunk as it arrives and counts what it really holds, without trusting the collector's
// own figures. Thread rule: one thread. Memory: one decoded chunk, and a few numbers per range and type.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collector/client/range_index.h"
#include "collector/client/sampled_objects.h"
#include "collector/client/static_resolver.h"
#include "snapshot-format/file/model.h"
#include "snapshot-format/file/snapshot_writer.h"
#include "snapshot-format/stream/chunk_decoder.h"
#include "snapshot-format/stream/contents_decoder.h"

struct ZSTD_DCtx_s;

namespace cairn::client {

struct RangeCount {
  uint64_t objects = 0, bytes = 0, edges = 0, gaps = 0, gap_bytes = 0, largest_gap = 0;
  uint64_t end = 0;  // of the last object so far
  uint32_t chunks = 0;
};

struct TypeCount {
  uint64_t objects = 0, bytes = 0;
};

// References that lead to no range, with the first of them.
struct OutsideCount {
  uint64_t references = 0;
  uint64_t first_target = 0;
  uint64_t first_chunk_address = 0;  // of the chunk it lies in
};

class ChunkChecker {
 public:
  // `ranges` and `types` must outlive it and not change.
  ChunkChecker(const std::vector<snapshot::Range>& ranges, const std::vector<snapshot::Type>& types,
               unsigned address_shift, StaticResolver& statics);
  ~ChunkChecker();

  // `sampled` must outlive it.
  void LookFor(SampledObjects& sampled) { sampled_ = &sampled; }

  // Returns an empty string, or what is wrong with the chunk.
  [[nodiscard]] std::string Check(const stream::ChunkHeader& header, std::span<const snapshot::StoredColumn> columns);

  const std::vector<RangeCount>& Ranges() const { return range_counts_; }
  const std::vector<TypeCount>& Types() const { return type_counts_; }
  const OutsideCount& Outside() const { return outside_; }
  bool Contains(uint64_t address) { return index_.Contains(address); }

 private:
  std::string Decompress(std::span<const snapshot::StoredColumn> columns, stream::ChunkColumns& raw);
  std::string CountObjects(const stream::ChunkHeader& header);
  void CountReferences(const stream::ChunkHeader& header);

  const std::vector<snapshot::Range>& ranges_;
  const std::vector<snapshot::Type>& types_;
  StaticResolver& statics_;
  SampledObjects* sampled_ = nullptr;
  std::vector<stream::TypeLayout> layouts_;
  stream::ChunkDecoder decoder_;
  RangeIndex index_;
  std::unique_ptr<ZSTD_DCtx_s, size_t (*)(ZSTD_DCtx_s*)> zstd_;
  std::vector<uint8_t> raw_[stream::kColumnCount];
  stream::DecodedChunk chunk_;
  stream::DecodedContents contents_;
  std::vector<RangeCount> range_counts_;
  std::vector<TypeCount> type_counts_;
  OutsideCount outside_;
};

}  // namespace cairn::client
