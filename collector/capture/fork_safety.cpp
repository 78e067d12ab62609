#include "collector/capture/fork_safety.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "collector/capture/group_files.h"

namespace cairn::collector {

namespace {

// Before .NET 5 the ClassID of an array is not its MethodTable, and is asked of an instance in the pause.
constexpr unsigned kFirstMajor = 5;

constexpr uint64_t kStrictOvercommit = 2;

bool IsStrict(const std::string& proc) {
  return FirstNumber(ReadSmallFile(proc + "/sys/vm/overcommit_memory")) == kStrictOvercommit;
}

bool HasHugePages(const std::string& proc) {
  const uint64_t kib = NumberAfter(ReadSmallFile(proc + "/self/status"), "HugetlbPages");
  return kib != kUnknownNumber && kib != 0;
}

// A child that is killed for want of memory would take the application with it.
bool DiesAsOne(const std::string& proc, const std::string& cgroup) {
  bool found = false;
  ForEachGroup(proc, cgroup, "", [&](const std::string& folder) {
    found = found || FirstNumber(ReadSmallFile(folder + "/memory.oom.group")) == 1;
  });
  return found;
}

// Where the system forbids it, a child would stay as a zombie. Nobody is a child of its own.
bool MayWait() { return waitpid(getpid(), nullptr, WNOHANG | __WALL) < 0 && errno == ECHILD; }

}  // namespace

// Measured under full load: 0.3 to 0.6 of the resident set.
uint64_t CopiesExpected(uint64_t resident) { return resident / 5 * 3; }

const Refusal* ForkRefusal(const MemoryBudget& budget, unsigned runtime_major, const char* proc, const char* cgroup) {
  if (runtime_major < kFirstMajor) return &kForkOldRuntime;
  if (HasHugePages(proc)) return &kForkHugePages;
  if (IsStrict(proc)) return &kForkStrictOvercommit;
  if (DiesAsOne(proc, cgroup)) return &kForkOomGroup;
  if (!Fits(budget, CopiesExpected(budget.resident))) return &kForkMemory;
  return MayWait() ? nullptr : &kForkNoWait;
}

}  // namespace cairn::collector
