#pragma once
// Which addresses of the heap ranges are starts of objects: one bit per address unit, in blocks that
// are allocated where an object is, so that a range which only claims to be large costs little.
// Private to snapshot-format/file. Thread rule: one thread.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "snapshot-format/file/model.h"

namespace cairn::snapshot {

class ObjectBitmap {
 public:
  // `ranges` are in address order and must outlive the bitmap.
  ObjectBitmap(const std::vector<Range>& ranges, unsigned unit_shift);

  // `address` lies within `range`, an index into the ranges.
  void Add(size_t range, uint64_t address);
  bool IsObject(uint64_t address) const;
  // Whether `address` is within any range.
  bool IsInHeap(uint64_t address) const { return FindRange(address) < ranges_.size(); }

 private:
  static constexpr unsigned kBlockShift = 15;  // 32,768 bits: 4 KiB for 256 KiB of heap
  using Block = std::array<uint64_t, (size_t{1} << kBlockShift) / 64>;

  size_t FindRange(uint64_t address) const;  // ranges_.size() for none

  const std::vector<Range>& ranges_;
  unsigned unit_shift_;
  std::vector<size_t> first_block_;  // per range
  std::vector<std::unique_ptr<Block>> blocks_;
  mutable size_t last_range_ = 0;  // most references stay within a range
};

}  // namespace cairn::snapshot
