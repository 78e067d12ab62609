#include "collector/roots/thread_table.h"

#include <exception>

#include "collector/roots/thread_name.h"

namespace cairn::collector {

protocol::Thread DescribeThread(uint32_t os_id, uint32_t managed_id) { return {os_id, managed_id, ThreadName(os_id)}; }

std::vector<protocol::Thread> ReadThreads(ThreadSource& threads) try {
  std::vector<protocol::Thread> result;
  for (uint32_t os_id : threads.OsThreadIds()) {
    if (os_id != 0) result.push_back(DescribeThread(os_id, 0));
  }
  return result;
} catch (const std::exception&) {
  return {};
}

}  // namespace cairn::collector
