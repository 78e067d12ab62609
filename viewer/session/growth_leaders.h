#pragma once
// Which growth is told: not what another growth carries, and not what a running method holds for the moment.
// Thread rule: a pure function.

#include <span>
#include <vector>

#include "viewer/session/path_growth.h"

namespace cairn::session {

// Of `candidates` (by position in `head`), as LeadingGrowth; `added` is what was added to each group. A local variable
// is no place where objects pile up: what is added to those is not told, nor what hangs on it in proportion.
std::vector<uint32_t> GrowthLeaders(std::span<const PathGroup> head, std::span<const GroupSize> before,
                                    std::span<const GroupSize> added, const std::vector<bool>& candidates);

}  // namespace cairn::session
