#include "collector/sampling/cost_limit.h"

#include <algorithm>

namespace cairn::collector {

// The first call begins to measure.
uint32_t CostLimit::Update(uint64_t taken_ns, uint64_t now_ns) {
  if (began_ns_ == 0) began_ns_ = now_ns;
  const uint64_t passed = now_ns - began_ns_;
  if (share_ppm_ == 0 || passed < kWindowNs) return one_in_;
  one_in_ = Choose((taken_ns - taken_before_ns_) * 1'000'000 / passed);
  highest_ = std::max(highest_, one_in_);
  began_ns_ = now_ns;
  taken_before_ns_ = taken_ns;
  return one_in_;
}

// Slowly back: what would be allowed with twice as many samples, and still leave half of the share.
uint32_t CostLimit::Choose(uint64_t taken_ppm) const {
  uint64_t one_in = one_in_;
  for (; taken_ppm > share_ppm_ && one_in < kMostOneIn; taken_ppm /= 2) one_in *= 2;
  if (one_in == one_in_ && one_in > 1 && taken_ppm < share_ppm_ / 4) one_in /= 2;
  return static_cast<uint32_t>(one_in);
}

}  // namespace cairn::collector
