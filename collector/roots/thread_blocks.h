#pragma once
// Which thread a stack root belongs to. Pure.
//
// The roots of a block lie thread after thread, in the order of `threads`; some threads may have none. A root with a
// method can only belong to a thread on whose stack the method is. Giving each root to the first thread that the order
// allows, and then to the last, says where there is no choice.

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "collector/roots/function_source.h"
#include "collector/roots/root_recorder.h"

namespace cairn::collector {

inline constexpr uint32_t kUncertainThread = 0xFFFFFFFF;

// A thread that may have roots in a block.
struct RootBlock {
  uint32_t thread = 0;
  bool known = false;  // its stack was read, so that `functions` holds every root's method on it
  std::unordered_set<FunctionId> functions;
};

// For each of the roots the thread; kUncertainThread where none is certain.
std::vector<uint32_t> AssignThreads(std::span<const RecordedRoot> roots, std::span<const RootBlock> threads);

}  // namespace cairn::collector
