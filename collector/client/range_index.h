#pragma once
// Is an address inside one of the heap's ranges? Asked for every reference of the heap.

#include <cstdint>
#include <vector>

namespace cairn::client {

class RangeIndex {
 public:
  struct Span {
    uint64_t start = 0, length = 0;
  };

  // `spans` in address order, without overlap.
  explicit RangeIndex(std::vector<Span> spans) : spans_(std::move(spans)) {}

  bool Contains(uint64_t address) {
    // Neighbours are likely: a small cache by 4 MiB region, always tested against the true bounds.
    Span& cached = cache_[(address >> 22) % kCacheSize];
    if (address - cached.start < cached.length) return true;
    return Find(address, cached);
  }

 private:
  static constexpr unsigned kCacheSize = 256;
  bool Find(uint64_t address, Span& cached) const;

  std::vector<Span> spans_;
  Span cache_[kCacheSize] = {};
};

}  // namespace cairn::client
