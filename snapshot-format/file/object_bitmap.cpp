#include "snapshot-format/file/object_bitmap.h"

#include <algorithm>

namespace cairn::snapshot {

ObjectBitmap::ObjectBitmap(const std::vector<Range>& ranges, unsigned unit_shift)
    : ranges_(ranges), unit_shift_(unit_shift) {
  size_t blocks = 0;
  for (const Range& range : ranges) {
    first_block_.push_back(blocks);
    blocks += static_cast<size_t>((range.length >> unit_shift >> kBlockShift) + 1);
  }
  blocks_.resize(blocks);
}

void ObjectBitmap::Add(size_t range, uint64_t address) {
  const uint64_t bit = (address - ranges_[range].start) >> unit_shift_;
  std::unique_ptr<Block>& block = blocks_[first_block_[range] + (bit >> kBlockShift)];
  if (block == nullptr) block = std::make_unique<Block>();
  const uint64_t within = bit & ((uint64_t{1} << kBlockShift) - 1);
  (*block)[within / 64] |= uint64_t{1} << (within % 64);
}

bool ObjectBitmap::IsObject(uint64_t address) const {
  const size_t range = FindRange(address);
  if (range == ranges_.size()) return false;
  const uint64_t offset = address - ranges_[range].start;
  if (offset & ((uint64_t{1} << unit_shift_) - 1)) return false;
  const uint64_t bit = offset >> unit_shift_;
  const std::unique_ptr<Block>& block = blocks_[first_block_[range] + (bit >> kBlockShift)];
  const uint64_t within = bit & ((uint64_t{1} << kBlockShift) - 1);
  return block != nullptr && ((*block)[within / 64] >> (within % 64) & 1) != 0;
}

size_t ObjectBitmap::FindRange(uint64_t address) const {
  const auto holds = [&](const Range& range) { return address - range.start < range.length; };
  if (last_range_ < ranges_.size() && holds(ranges_[last_range_])) return last_range_;
  const auto after = std::ranges::upper_bound(ranges_, address, {}, &Range::start);
  if (after == ranges_.begin() || !holds(*(after - 1))) return ranges_.size();
  return last_range_ = static_cast<size_t>(after - ranges_.begin()) - 1;
}

}  // namespace cairn::snapshot
