#pragma once
// What /proc says of a process. Processes vanish at any time: everything missing is an empty answer.
// Thread rule: safe from any thread.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::client {

struct ProcStatus {
  char state = '?';  // R S D T t Z X
  uid_t uid = 0;     // effective, as this process sees it
  gid_t gid = 0;
  int64_t inner_pid = 0;  // as the process sees itself: the last number of NSpid
};

struct MappedFile {
  std::string path;
  uint64_t inode = 0;
};

class ProcFs {
 public:
  explicit ProcFs(std::string root = "/proc") : root_(std::move(root)) {}

  std::string Path(int64_t pid, const std::string& leaf) const;
  std::vector<int64_t> Pids() const;
  bool Exists(int64_t pid) const;
  std::optional<ProcStatus> Status(int64_t pid) const;
  // Field 4 of stat.
  std::optional<int64_t> Parent(int64_t pid) const;
  // Field 22 of stat, in clock ticks since boot.
  std::optional<uint64_t> StartTime(int64_t pid) const;
  // "NAME=value" each; nothing when it may not be read.
  std::optional<std::vector<std::string>> Environment(int64_t pid) const;
  std::vector<std::string> CommandLine(int64_t pid) const;
  std::optional<std::string> Executable(int64_t pid) const;  // path as the process sees it
  // Files that are mapped, each path once; nothing when it may not be read.
  std::optional<std::vector<MappedFile>> Maps(int64_t pid) const;
  uint64_t ResidentBytes(int64_t pid) const;
  // Equal texts: the same mount namespace. Empty when it may not be read.
  std::string MountNamespace(int64_t pid) const;
  // The smallest memory limit of its cgroup and those above; nothing without one.
  std::optional<uint64_t> MemoryLimit(int64_t pid, const std::string& cgroup_root = "/sys/fs/cgroup") const;

 private:
  std::string root_;
};

// Value of `name` in a list of "NAME=value".
std::optional<std::string> FindVariable(const std::vector<std::string>& environment, const std::string& name);

}  // namespace cairn::client
