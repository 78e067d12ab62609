#pragma once
// A series of numbers as one short word of bars.
// Thread rule: pure functions.

#include <cstdint>
#include <span>
#include <string>

namespace cairn::presentation {

// One bar of eight heights per value, from the least to the greatest of them: "▁▄█". Equal values: the lowest bar. More
// than 24 values: 24 of them, evenly spread, the first and the last among them.
std::string Sparkline(std::span<const uint64_t> values);

}  // namespace cairn::presentation
