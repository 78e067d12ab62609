#include "collector/capture/memory_budget.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "collector/capture/group_files.h"

namespace cairn::collector {

namespace {

constexpr uint64_t kUnknown = kUnknownNumber;

uint64_t Resident(const std::string& proc) {
  const std::string text = ReadSmallFile(proc + "/self/statm");  // pages: size resident …
  const size_t space = text.find(' ');
  const uint64_t pages = space == std::string::npos ? kUnknown : FirstNumber(std::string_view(text).substr(space));
  return pages == kUnknown ? 0 : pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t MachineAvailable(const std::string& proc) {
  const uint64_t kib = NumberAfter(ReadSmallFile(proc + "/meminfo"), "MemAvailable");
  return kib == kUnknown ? kUnknown : kib * 1024;
}

// What one group leaves: its limit less what it uses, where inactive file pages count as free.
uint64_t GroupAvailable(const std::string& folder, const char* limit_name, const char* usage_name) {
  const uint64_t limit = FirstNumber(ReadSmallFile(folder + limit_name));
  const uint64_t usage = FirstNumber(ReadSmallFile(folder + usage_name));
  if (limit == kUnknown || usage == kUnknown) return kUnknown;
  const std::string statistics = ReadSmallFile(folder + "/memory.stat");
  uint64_t inactive = NumberAfter(statistics, "total_inactive_file");
  if (inactive == kUnknown) inactive = NumberAfter(statistics, "inactive_file");
  if (inactive == kUnknown) inactive = 0;
  const uint64_t busy = usage > inactive ? usage - inactive : 0;
  return limit > busy ? limit - busy : 0;
}

// The least of our group and all above it.
uint64_t ChainAvailable(const std::string& proc, const std::string& root, std::string_view controllers,
                        const char* limit_name, const char* usage_name, std::string* tightest) {
  uint64_t least = kUnknown;
  ForEachGroup(proc, root, controllers, [&](const std::string& folder) {
    const uint64_t available = GroupAvailable(folder, limit_name, usage_name);
    if (available >= least) return;
    least = available;
    *tightest = folder;
  });
  return least;
}

}  // namespace

MemoryBudget ReadMemoryBudget(const char* proc, const char* cgroup) {
  MemoryBudget budget;
  budget.resident = Resident(proc);
  const std::string root = cgroup;
  std::string v1_folder;
  const uint64_t v2 = ChainAvailable(proc, root, "", "/memory.max", "/memory.current", &budget.tightest_group);
  const uint64_t v1 =
      ChainAvailable(proc, root + "/memory", "memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes", &v1_folder);
  budget.available = std::min({MachineAvailable(proc), v2, v1});
  return budget;
}

}  // namespace cairn::collector
