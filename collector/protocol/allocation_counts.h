#pragma once
// What the observer that counts every allocation is asked for, and what it tells besides types, methods and stacks
// (allocation_observation.h, whose blocks it shares; collector/sampling/count_observer.h).

#include <cstdint>
#include <vector>

#include "collector/protocol/allocation_observation.h"

namespace cairn::protocol {

struct AllocationCountWishes {
  uint32_t depth = kMostAllocationDepth;  // frames kept of a stack
};
template <class A> void Fields(A& a, AllocationCountWishes& m) { a(m.depth); }

// Objects and bytes that came since this type and stack were told before.
struct AllocationCount {
  uint32_t type = 0, stack = 0;  // 0: not known
  uint64_t objects = 0, bytes = 0;
};
template <class A> void Fields(A& a, AllocationCount& m) { a(m.type); a(m.stack); a(m.objects); a(m.bytes); }
struct AllocationCounts { std::vector<AllocationCount> counts; };
template <class A> void Fields(A& a, AllocationCounts& m) { a(m.counts); }

struct AllocationCountCosts {
  uint64_t elapsed_ns = 0;
  uint64_t objects = 0;                            // told until now
  uint64_t dropped_objects = 0, dropped_bytes = 0; // counted, but for want of room without type and stack
  uint64_t dropped_stacks = 0;                     // objects whose type is told, but for want of room no stack
  uint64_t without_stack = 0;                      // objects whose stack the runtime did not tell
};
template <class A> void Fields(A& a, AllocationCountCosts& m) {
  a(m.elapsed_ns); a(m.objects); a(m.dropped_objects); a(m.dropped_bytes); a(m.dropped_stacks); a(m.without_stack);
}

}  // namespace cairn::protocol
