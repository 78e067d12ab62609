#pragma once
// How much memory this process uses and may still take, from /proc and the control groups. Reads a handful
// of small files; the folders are parameters so that tests lay them out themselves.

#include <cstdint>
#include <string>

namespace cairn::collector {

struct MemoryBudget {
  uint64_t resident = 0;       // of this process
  uint64_t available = 0;      // what the machine and every control group above us still give; ~0: unknown
  std::string tightest_group;  // the folder of the control group (version 2) that gives least; empty: none is limited
};

// Always left to the application.
inline constexpr uint64_t kRoomForTheApplication = uint64_t{32} << 20;

MemoryBudget ReadMemoryBudget(const char* proc = "/proc", const char* cgroup = "/sys/fs/cgroup");

// What a walk of a process of `resident` bytes is given: address space, and the part touched beforehand.
struct SpoolSize {
  uint64_t reserved = 0;
  uint64_t touched = 0;
};
SpoolSize SpoolSizeFor(uint64_t resident);
// For one of `threads` walkers: no share reaches beyond what the budget gives, so that a spool becomes full
// before the target becomes too big.
SpoolSize SpoolSizeFor(const MemoryBudget& budget, unsigned threads);

// Leaves the application some room to grow while we hold ours.
bool Fits(const MemoryBudget& budget, uint64_t bytes);

}  // namespace cairn::collector
