#include "collector/capture/chunk_packer.h"

#include "collector/protocol/messages.h"
#include "snapshot-format/stream/records.h"
#include "snapshot-format/stream/varint.h"

namespace cairn::collector {

namespace {

using stream::ColumnKind;
using stream::ColumnSlot;

constexpr size_t kMaxIdBytes = 5;  // a varint of 32 bits

}  // namespace

ChunkPacker::ChunkPacker(std::span<const uint32_t> ranks) : ranks_(ranks) {}

bool ChunkPacker::RankTypes(const SpoolBlock& block) {
  const size_t slot = ColumnSlot(ColumnKind::kTypes);
  const uint8_t* at = block.column[slot];
  const uint8_t* const end = at + block.column_size[slot];
  types_.resize(size_t{block.header.object_count} * kMaxIdBytes + stream::kMaxVarintBytes);
  uint8_t* out = types_.data();
  for (uint32_t i = 0; i < block.header.object_count; ++i) {
    uint64_t id = 0;
    at = stream::GetVarint(at, end, &id);
    const uint32_t rank = at == nullptr ? TypeRanking::kNone : Rank(id);
    if (rank == TypeRanking::kNone) return false;
    out = stream::PutVarint(out, rank);
  }
  types_.resize(static_cast<size_t>(out - types_.data()));
  return at == end;
}

const std::vector<uint8_t>* ChunkPacker::Pack(const SpoolBlock& block) {
  if (!RankTypes(block)) return nullptr;
  protocol::Chunk chunk{protocol::NumbersOf(block.header), {}};
  if (chunk.continued_object != 0) chunk.continued_type = Rank(block.header.continued_type);
  if (chunk.continued_type == TypeRanking::kNone) return nullptr;
  for (const ColumnKind kind : stream::kAllColumns) {
    const size_t slot = ColumnSlot(kind);
    const bool ranked = kind == ColumnKind::kTypes;
    const uint8_t* data = ranked ? types_.data() : block.column[slot];
    const size_t size = ranked ? types_.size() : block.column_size[slot];
    if (!compressor_.Compress(data, size, compressed_[slot])) return nullptr;
    chunk.columns.push_back({static_cast<uint8_t>(kind), static_cast<uint32_t>(size),
                             size == 0 ? 0 : static_cast<uint32_t>(compressed_[slot].size())});
  }
  stream::RecordWriter writer;
  writer(chunk);
  payload_ = writer.Take();
  for (size_t slot = 0; slot < stream::kColumnCount; ++slot) {
    if (chunk.columns[slot].raw_size == 0) continue;
    payload_.insert(payload_.end(), compressed_[slot].begin(), compressed_[slot].end());
  }
  return &payload_;
}

}  // namespace cairn::collector
