#pragma once
// Sorting millions of numbered things by keys, by radix: linear, and equal ones stay as they are.
// Thread rule: pure functions.

#include <cstdint>
#include <vector>

#include "viewer/analysis/work.h"

namespace cairn::analysis {

// Sorts `items` by their keys: keys[i] is that of items[i]. False: cancelled, `items` are then in no order.
// 11 bits a pass; bits in which no two keys differ cost nothing. Key and item travel together in 8 bytes where the keys
// differ in no more than 32 bits in a row, as sizes and ranks do: 20 bytes per item while it sorts, else 32.
bool SortByKeys(std::vector<uint64_t> keys, bool ascending, std::vector<uint32_t>& items, const Work& work);

}  // namespace cairn::analysis
