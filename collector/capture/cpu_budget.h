#pragma once
// How many threads may walk at once: the processors this process may use, and what the garbage collector's own
// threads take of them while they wait for us.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cairn::collector {

// By affinity and by the quota of every control group above us, rounded down; at least 1.
unsigned AllowedCpus(const char* proc = "/proc", const char* cgroup = "/sys/fs/cgroup");

// The server collector's threads. In the pause each of them may spin on a processor of its own.
class GcThreads {
 public:
  // Before the pause.
  void Find(const char* proc = "/proc");
  // In the pause: how many run right now, the calling thread not counted. Reads one small file for each;
  // allocates nothing.
  unsigned Running() const;
  size_t Count() const { return files_.size(); }

 private:
  struct File {
    char path[64];
    uint64_t id;
  };
  std::vector<File> files_;
};

}  // namespace cairn::collector
