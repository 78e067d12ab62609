#include "collector/capture/memory_budget.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace cairn::collector {

namespace {

constexpr uint64_t kUnknown = ~uint64_t{0};
constexpr uint64_t kMiB = 1024 * 1024;
constexpr uint64_t kRoomForTheApplication = 32 * kMiB;
constexpr uint64_t kSpoolFloor = 64 * kMiB;

std::string ReadSmallFile(const std::string& path) {
  std::string text;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  char buffer[4096];
  for (ssize_t got; (got = read(file, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(got));
  close(file);
  return text;
}

// The first number in `text`; kUnknown for none ("max").
uint64_t FirstNumber(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t:");
  if (start == std::string_view::npos) return kUnknown;
  uint64_t value = kUnknown;
  const auto result = std::from_chars(text.data() + start, text.data() + text.size(), value);
  return result.ec == std::errc{} ? value : kUnknown;
}

// The number behind `key` where that starts a line; kUnknown for none.
uint64_t NumberAfter(std::string_view text, std::string_view key) {
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (line.starts_with(key)) return FirstNumber(line.substr(key.size()));
    at += line.size() + 1;
  }
  return kUnknown;
}

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

// The smallest of a group and all above it. In a container the path may lie outside the mount; what is
// there is read, the rest is unknown.
uint64_t ChainAvailable(const std::string& root, std::string path, const char* limit_name, const char* usage_name) {
  uint64_t least = GroupAvailable(root, limit_name, usage_name);
  while (path.size() > 1) {
    least = std::min(least, GroupAvailable(root + path, limit_name, usage_name));
    path.resize(path.rfind('/'));
  }
  return least;
}

// The path in the line of /proc/self/cgroup whose controllers are `controllers` ("" in version 2).
std::string GroupPath(std::string_view text, std::string_view controllers) {
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (second != std::string_view::npos && line.substr(first + 1, second - first - 1) == controllers) {
      return std::string(line.substr(second + 1));
    }
    at += line.size() + 1;
  }
  return {};
}

uint64_t GroupsAvailable(const std::string& proc, const std::string& cgroup) {
  const std::string text = ReadSmallFile(proc + "/self/cgroup");
  const uint64_t v2 = ChainAvailable(cgroup, GroupPath(text, ""), "/memory.max", "/memory.current");
  const uint64_t v1 =
      ChainAvailable(cgroup + "/memory", GroupPath(text, "memory"), "/memory.limit_in_bytes", "/memory.usage_in_bytes");
  return std::min(v2, v1);
}

}  // namespace

MemoryBudget ReadMemoryBudget(const char* proc, const char* cgroup) {
  return {Resident(proc), std::min(MachineAvailable(proc), GroupsAvailable(proc, cgroup))};
}

// Measured: 4.6 to 6.8 B per object of 44 to 92 B, so a tenth of the resident set covers common heaps, and
// half of it the worst (small objects full of references). Only what is touched costs memory.
SpoolSize SpoolSizeFor(uint64_t resident) { return {resident / 2 + kSpoolFloor, resident / 10}; }

bool Fits(const MemoryBudget& budget, uint64_t bytes) {
  return budget.available == kUnknown || bytes + kRoomForTheApplication <= budget.available;
}

}  // namespace cairn::collector
