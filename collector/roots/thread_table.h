#pragma once
// Managed threads with their names. Call-site rule: never inside a GC or while the runtime is suspended
// (EnumThreads deadlocks there on .NET 9.0).

#include <cstdint>
#include <string>
#include <vector>

#include "collector/protocol/messages.h"

namespace cairn::collector {

class ThreadSource {
 public:
  virtual std::vector<uint32_t> OsThreadIds() = 0;  // in the runtime's order; 0 where it has no OS thread

 protected:
  ~ThreadSource() = default;
};

// managed_id stays 0 (unknown); the name is the one of /proc/self/task, empty where that is gone.
std::vector<protocol::Thread> ReadThreads(ThreadSource& threads);

}  // namespace cairn::collector
