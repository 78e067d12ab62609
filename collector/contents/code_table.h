#pragma once
// Distinct code addresses, in memory of the caller's: a set that never grows. What finds no room is counted.
// Call-site rule: inside the pause or the child; no allocation, no lock. Thread rule: one writer; others may read
// when it is done.

#include <atomic>
#include <cstdint>

namespace cairn::collector {

class CodeTable {
 public:
  static constexpr uint32_t kBuckets = 1u << 15;
  static constexpr uint32_t kMost = kBuckets / 2;

  // The slots of a delegate: zero is no address.
  void Add(uint64_t address) {
    if (address == 0 || address == last_) return;
    last_ = address;
    uint32_t at = static_cast<uint32_t>(address * 0x9E3779B97F4A7C15u >> 40) & (kBuckets - 1);
    for (; buckets_[at] != 0; at = (at + 1) & (kBuckets - 1)) {
      if (buckets_[at] == address) return;
    }
    if (count_ == kMost) {
      ++dropped_;
      return;
    }
    buckets_[at] = address;
    ++count_;
  }
  template <class Visit>
  void ForEach(Visit visit) const {
    for (const uint64_t address : buckets_) {
      if (address != 0) visit(address);
    }
  }
  uint64_t Dropped() const { return dropped_; }

 private:
  uint64_t last_ = 0;
  uint32_t count_ = 0;
  uint64_t dropped_ = 0;
  uint64_t buckets_[kBuckets] = {};
};

}  // namespace cairn::collector
