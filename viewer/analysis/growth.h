#pragma once
// How a figure grows over a series of snapshots.
// Thread rule: pure functions.

#include <cstdint>
#include <span>

namespace cairn::analysis {

// The typical growth from one snapshot to the next: the median of the slopes between all pairs (Sen, "Estimates of
// the regression coefficient based on Kendall's tau", 1968). One jump, such as a cache that fills once, counts little;
// what grows all the time counts in full. Of two values: their difference. Of fewer: 0.
// Complexity: quadratic in the number of values.
double TypicalGrowth(std::span<const uint64_t> values);

}  // namespace cairn::analysis
