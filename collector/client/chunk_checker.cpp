#include "collector/client/chunk_checker.h"

#include <zstd.h>

#include <algorithm>

#include "snapshot-format/stream/hex_address.h"

namespace cairn::client {
namespace {

using stream::HexAddress;

std::vector<RangeIndex::Span> Spans(const std::vector<snapshot::Range>& ranges) {
  std::vector<RangeIndex::Span> spans;
  for (const snapshot::Range& range : ranges) spans.push_back({range.start, range.length});
  return spans;
}

std::vector<stream::TypeLayout> Layouts(const std::vector<snapshot::Type>& types) {
  std::vector<stream::TypeLayout> layouts;
  for (const snapshot::Type& type : types) layouts.push_back(type.layout);
  return layouts;
}

}  // namespace

ChunkChecker::ChunkChecker(const std::vector<snapshot::Range>& ranges, const std::vector<snapshot::Type>& types,
                           unsigned address_shift, StaticResolver& statics)
    : ranges_(ranges),
      types_(types),
      statics_(statics),
      layouts_(Layouts(types)),
      decoder_(layouts_, address_shift),
      index_(Spans(ranges)),
      zstd_(ZSTD_createDCtx(), ZSTD_freeDCtx),
      range_counts_(ranges.size()),
      type_counts_(types.size()) {
  for (size_t i = 0; i < ranges.size(); ++i) range_counts_[i].end = ranges[i].start;
}

ChunkChecker::~ChunkChecker() = default;

std::string ChunkChecker::Check(const stream::ChunkHeader& header, std::span<const snapshot::StoredColumn> columns) {
  if (header.range >= ranges_.size()) return "it names range " + std::to_string(header.range) + ", which is not there";
  if (header.sequence != range_counts_[header.range].chunks)
    return "it is number " + std::to_string(header.sequence) + " of its range where " +
           std::to_string(range_counts_[header.range].chunks) + " was due";
  stream::ChunkColumns raw;
  if (auto wrong = Decompress(columns, raw); !wrong.empty()) return wrong;
  if (auto wrong = decoder_.Decode(header, raw, ranges_[header.range].alignment, chunk_); !wrong.empty()) return wrong;
  if (auto wrong = stream::DecodeContents(layouts_, raw, chunk_, contents_); !wrong.empty()) return wrong;
  if (auto wrong = CountObjects(header); !wrong.empty()) return wrong;
  CountReferences(header);
  statics_.Look(header, chunk_, types_);
  if (sampled_ != nullptr) sampled_->Look(chunk_, types_);
  ++range_counts_[header.range].chunks;
  return {};
}

std::string ChunkChecker::Decompress(std::span<const snapshot::StoredColumn> columns, stream::ChunkColumns& raw) {
  for (const snapshot::StoredColumn& column : columns) {
    const size_t slot = stream::ColumnSlot(column.kind);
    std::vector<uint8_t>& bytes = raw_[slot];
    bytes.resize(column.raw_size);
    const size_t size = ZSTD_decompressDCtx(zstd_.get(), bytes.data(), bytes.size(), column.compressed.data(),
                                            column.compressed.size());
    if (ZSTD_isError(size)) return std::string("a column does not decompress: ") + ZSTD_getErrorName(size);
    if (size != column.raw_size) return "a column has another size than it states";
    raw.column[slot] = bytes;
  }
  return {};
}

std::string ChunkChecker::CountObjects(const stream::ChunkHeader& header) {
  const snapshot::Range& range = ranges_[header.range];
  RangeCount count = range_counts_[header.range];
  for (size_t i = 0; i < chunk_.addresses.size(); ++i) {
    const uint64_t address = chunk_.addresses[i], size = chunk_.sizes[i];
    if (address < count.end) return "the object at " + HexAddress(address) + " starts within the one before it";
    if (address - range.start > range.length || size > range.length - (address - range.start))
      return "the object at " + HexAddress(address) + " reaches beyond its range";
    const uint64_t gap = address - count.end;
    count.gaps += gap != 0;
    count.gap_bytes += gap;
    count.largest_gap = std::max(count.largest_gap, gap);
    count.end = address + size;
    count.bytes += size;
    TypeCount& type = type_counts_[chunk_.types[i]];
    ++type.objects;
    type.bytes += size;
  }
  count.objects += chunk_.addresses.size();
  range_counts_[header.range] = count;
  return {};
}

void ChunkChecker::CountReferences(const stream::ChunkHeader& header) {
  uint64_t edges = 0;
  for (const uint64_t target : chunk_.targets) {
    if (target == 0) continue;
    ++edges;
    if (index_.Contains(target)) continue;
    if (outside_.references++ != 0) continue;
    outside_.first_target = target;
    outside_.first_chunk_address = header.object_count != 0 ? header.first_address : header.continued_object;
  }
  range_counts_[header.range].edges += edges;
}

}  // namespace cairn::client
