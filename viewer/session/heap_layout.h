#pragma once
// How the heap lies in memory: what of each range is free, in which pieces, and what cannot move.
// Thread rule: pure functions apart from the session's own.

#include <cstdint>
#include <vector>

#include "viewer/session/snapshot_session.h"

namespace cairn::session {

struct RangeLayout {
  uint64_t gaps = 0;         // runs of Free objects between objects, and at either end of what was walked
  uint64_t largest_gap = 0;  // bytes
  uint64_t pinned_objects = 0;
};

// Gaps of one class of sizes.
struct GapClass {
  uint64_t at_least = 0;  // bytes; the next class starts where this one ends
  uint64_t gaps = 0, bytes = 0;
};

struct HeapLayout {
  std::vector<RangeLayout> ranges;  // as in Summary::ranges
  std::vector<GapClass> gaps;       // by size, ascending
};

// Pinned: by a handle, or by a local that pins. Complexity: linear in objects.
Result<HeapLayout> DescribeHeap(SnapshotSession& session, analysis::Work& work);

}  // namespace cairn::session
