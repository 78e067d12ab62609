#include "collector/capture/cpu_budget.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "collector/capture/group_files.h"
#include "collector/capture/native_thread.h"

namespace cairn::collector {

namespace {

constexpr const char* kServerGcThread = ".NET Server GC";

unsigned CpusByAffinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(getpid(), sizeof set, &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
  const long online = sysconf(_SC_NPROCESSORS_ONLN);  // more processors than a cpu_set_t holds
  return online > 0 ? static_cast<unsigned>(online) : 1;
}

// "max 100000" or "150000 100000".
uint64_t CpusByV2(const std::string& folder) {
  const std::string text = ReadSmallFile(folder + "/cpu.max");
  const uint64_t quota = FirstNumber(text);
  const size_t space = text.find(' ');
  if (quota == kUnknownNumber || space == std::string::npos) return kUnknownNumber;
  const uint64_t period = FirstNumber(std::string_view(text).substr(space));
  return period == 0 || period == kUnknownNumber ? kUnknownNumber : quota / period;
}

uint64_t CpusByV1(const std::string& folder) {
  const uint64_t quota = FirstNumber(ReadSmallFile(folder + "/cpu.cfs_quota_us"));  // "-1": none
  const uint64_t period = FirstNumber(ReadSmallFile(folder + "/cpu.cfs_period_us"));
  return quota == kUnknownNumber || period == 0 || period == kUnknownNumber ? kUnknownNumber : quota / period;
}

std::string NameOf(const std::string& task) {
  std::string name = ReadSmallFile(task + "/comm");
  if (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

// Field 3 of a stat file: the letter behind the name, which ends with the last parenthesis.
char StateIn(const char* path) {
  char text[256];
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return '?';
  const ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  if (got <= 0) return '?';
  text[got] = 0;
  const char* name_end = std::strrchr(text, ')');
  return name_end != nullptr && name_end[1] == ' ' ? name_end[2] : '?';
}

}  // namespace

unsigned AllowedCpus(const char* proc, const char* cgroup) {
  uint64_t least = CpusByAffinity();
  ForEachGroup(proc, cgroup, "", [&](const std::string& folder) { least = std::min(least, CpusByV2(folder)); });
  ForEachGroup(proc, std::string(cgroup) + "/cpu", "cpu",
               [&](const std::string& folder) { least = std::min(least, CpusByV1(folder)); });
  return static_cast<unsigned>(std::max<uint64_t>(least, 1));
}

void GcThreads::Find(const char* proc) {
  files_.clear();
  const std::string tasks = std::string(proc) + "/self/task";
  DIR* folder = opendir(tasks.c_str());
  if (folder == nullptr) return;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    const std::string task = tasks + "/" + entry->d_name;
    if (NameOf(task) != kServerGcThread) continue;
    File file{};
    file.id = FirstNumber(entry->d_name);
    const int size = std::snprintf(file.path, sizeof file.path, "%s/stat", task.c_str());
    if (size > 0 && static_cast<size_t>(size) < sizeof file.path) files_.push_back(file);
  }
  closedir(folder);
}

unsigned GcThreads::Running() const {
  const uint64_t self = OwnThreadId();
  unsigned running = 0;
  for (const File& file : files_) running += file.id != self && StateIn(file.path) == 'R';
  return running;
}

}  // namespace cairn::collector
