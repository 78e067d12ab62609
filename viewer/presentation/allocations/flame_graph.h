#pragma once
// Sampled allocations as a flame graph: the outermost method below, what it called above, types on top; as wide as the
// bytes that were allocated there. Also the same as folded stacks, which every flame graph tool reads.
// Thread rule: pure functions.

#include <string>

#include "viewer/presentation/allocations/allocation_report.h"

namespace cairn::presentation {

// "App.Main;Cache.Add;Shop.Order 28000": a line per stack and type, outermost first, and its bytes.
std::string FoldedStacks(const snapshot::Sampling& sampling);

// A page of its own: no script, nothing from elsewhere. Each box carries its whole name and figures as a title.
std::string FlameGraphPage(const AllocationReport& report, const std::string& title);

}  // namespace cairn::presentation
