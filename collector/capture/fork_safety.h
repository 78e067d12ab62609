#pragma once
// Whether a fork of this process would be borne. Reads a handful of small files; the folders are parameters so
// that tests lay them out themselves. Not for the pause.

#include "collector/capture/memory_budget.h"
#include "collector/capture/refusal.h"

namespace cairn::collector {

// What stands against a fork; nullptr for nothing.
const Refusal* ForkRefusal(const MemoryBudget& budget, unsigned runtime_major, const char* proc = "/proc",
                           const char* cgroup = "/sys/fs/cgroup");

// How much memory the pages that are written while the child lives may take.
uint64_t CopiesExpected(uint64_t resident);

}  // namespace cairn::collector
