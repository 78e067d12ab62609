#pragma once
// Before the pause: how the heap of this process could be walked, and the memory for it.

#include <memory>

#include "collector/capture/child_memory.h"
#include "collector/capture/cpu_budget.h"
#include "collector/capture/memory_budget.h"
#include "collector/capture/pause_walk.h"
#include "collector/capture/refusal.h"
#include "collector/capture/walk_estimate.h"

namespace cairn::collector {

// Whether the pause will rather fork, as far as it can be told before.
enum class ForkOdds : uint8_t { kNone, kLikely, kCertain };

struct WalkPlan {
  MemoryBudget budget;
  WalkConstants constants;
  unsigned cpus = 1;
  unsigned threads = 1;                   // that may be worthwhile in the pause
  const Refusal* fork_refusal = nullptr;  // why the process must not be forked; nullptr: it may
  WalkEstimate largest;                   // as if all that is resident were small objects
  ForkOdds fork = ForkOdds::kNone;        // how much of the spools is touched beforehand
};

WalkPlan MakeWalkPlan(const protocol::Options& options, unsigned runtime_major);

// All memory of a walk, whichever way it goes. Kept over attaches that have to be tried again.
struct WalkMemories {
  PauseWalk::Memories spools;          // one for each thread, at least one
  std::unique_ptr<ChildMemory> child;  // where a fork is possible
};

// nullptr: there is not enough.
std::unique_ptr<WalkMemories> MakeWalkMemories(const WalkPlan& plan);

}  // namespace cairn::collector
