#pragma once
// Managed threads with their names. Call-site rule: never inside a GC or while the runtime is suspended
// (EnumThreads deadlocks there on .NET 9.0).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "collector/protocol/messages.h"
#include "collector/runtime/managed_threads.h"

namespace cairn::collector {

class ThreadSource {
 public:
  virtual std::vector<uint32_t> OsThreadIds() = 0;  // in the runtime's order; 0 where it has no OS thread
  // The runtime's own list; null where it cannot be read.
  virtual const ManagedThreads* List() { return nullptr; }

 protected:
  ~ThreadSource() = default;
};

// The name is the one of /proc/self/task, empty where that is gone.
protocol::Thread DescribeThread(uint32_t os_id, uint32_t managed_id);
// For runtimes whose list cannot be read: managed_id stays 0 (unknown).
std::vector<protocol::Thread> ReadThreads(ThreadSource& threads);

}  // namespace cairn::collector
