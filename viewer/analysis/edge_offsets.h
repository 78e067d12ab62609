#pragma once
// Where each object's edges start, in 4 bytes per object however many edges there are: the low half of each
// offset, and the objects at which the high half goes up by one (none below 2^32 edges).
// Thread rule: fill first; then reads from any thread.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "viewer/analysis/flat_array.h"
#include "viewer/analysis/indices.h"

namespace cairn::analysis {

class ArrayList;
class ArrayTaker;

class EdgeOffsets {
 public:
  EdgeOffsets() = default;
  explicit EdgeOffsets(size_t objects) : low_(objects + 1) {}

  // Until Set, the place of an object may hold a count.
  uint32_t& Count(uint32_t object) { return low_[object]; }

  // To be called for 0, 1, 2 … with offsets that never fall.
  void Set(uint32_t object, uint64_t offset) {
    low_[object] = static_cast<uint32_t>(offset);
    for (; offset >> 32 > carries_.size();) carries_.push_back(object);
  }

  void Save(ArrayList& out) const;
  // False where they are not offsets of so many edges.
  [[nodiscard]] bool Take(ArrayTaker& from, size_t objects, uint64_t edges, unsigned threads);

  uint64_t operator[](uint32_t object) const {
    return carries_.empty() ? low_[object] : High(object) << 32 | low_[object];
  }

  // The last object whose edges start at or before `offset`: its owner, when it is an edge.
  uint32_t Owner(uint64_t offset) const {
    uint32_t first = 0, count = static_cast<uint32_t>(low_.size() - 1);
    while (count > 1) {
      const uint32_t half = count / 2;
      if ((*this)[first + half] <= offset) {
        first += half;
        count -= half;
      } else {
        count = half;
      }
    }
    return first;
  }

  void Prefetch(uint32_t object) const { __builtin_prefetch(&low_[object]); }

 private:
  uint64_t High(uint32_t object) const {
    return static_cast<uint64_t>(std::upper_bound(carries_.begin(), carries_.end(), object) - carries_.begin());
  }

  FlatArray<uint32_t> low_;
  std::vector<uint32_t> carries_;
};

}  // namespace cairn::analysis
