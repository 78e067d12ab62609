#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <algorithm>
#include <bit>

#include "collector/capture/cpu_budget.h"

namespace cairn::collector {

unsigned AllowedCpus(const char*, const char*) {
  DWORD_PTR ours = 0, machine = 0;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &ours, &machine)) return 1;
  return std::max(1, std::popcount(ours));
}

// What a thread does right now cannot be asked cheaply in the pause: none is taken to run.
void GcThreads::Find(const char*) { files_.clear(); }

unsigned GcThreads::Running() const { return 0; }

}  // namespace cairn::collector
