#include "collector/capture/memory_budget.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "collector/capture/group_files.h"

namespace cairn::collector {

namespace {

constexpr uint64_t kUnknown = kUnknownNumber;
constexpr uint64_t kMiB = 1024 * 1024;
constexpr uint64_t kSpoolFloor = 64 * kMiB;

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

// Measured: 4.6 to 6.8 B per object of 44 to 92 B, so a tenth of the heap covers common heaps, and half of it the worst
// (small objects full of references). Of what is resident more than a third is no heap, or room for new objects. Only
// what is touched costs memory; what a walk needs beyond it becomes resident by the piece.
SpoolSize SpoolSizeFor(uint64_t resident) { return {resident / 2 + kSpoolFloor, resident / 16}; }

SpoolSize SpoolSizeFor(const MemoryBudget& budget, unsigned threads) {
  SpoolSize size = SpoolSizeFor(budget.resident);
  size.touched /= threads;
  if (budget.available == kUnknown) return size;
  const uint64_t given = budget.available > kRoomForTheApplication ? budget.available - kRoomForTheApplication : 0;
  size.reserved = std::min(size.reserved, std::max(size.touched, given / threads));
  return size;
}

bool Fits(const MemoryBudget& budget, uint64_t bytes) {
  return budget.available == kUnknown || bytes + kRoomForTheApplication <= budget.available;
}

}  // namespace cairn::collector
