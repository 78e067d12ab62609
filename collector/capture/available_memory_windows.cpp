#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// Needs what the line above declares.
#include <psapi.h>

#include <algorithm>

#include "collector/capture/memory_budget.h"

namespace cairn::collector {

// Of a job's limit the system tells nothing here but that an allocation fails. Address space counts too: a process of
// 32 bits runs out of that first.
MemoryBudget ReadMemoryBudget(const char*, const char*) {
  MemoryBudget budget;
  PROCESS_MEMORY_COUNTERS counters{};
  if (K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters))
    budget.resident = counters.WorkingSetSize;
  MEMORYSTATUSEX memory{};
  memory.dwLength = sizeof memory;
  budget.available = ~uint64_t{0};
  if (GlobalMemoryStatusEx(&memory)) {
    budget.available = std::min({memory.ullAvailPhys, memory.ullAvailPageFile, memory.ullAvailVirtual / 2});
  }
  return budget;
}

}  // namespace cairn::collector
