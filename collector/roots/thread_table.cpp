#include "collector/roots/thread_table.h"

#include <fcntl.h>
#include <unistd.h>

#include <exception>

namespace cairn::collector {
namespace {

std::string NameOf(uint32_t os_id) {
  const std::string path = "/proc/self/task/" + std::to_string(os_id) + "/comm";
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  char text[64];
  ssize_t size = read(file, text, sizeof text);
  close(file);
  while (size > 0 && text[size - 1] == '\n') --size;
  return {text, static_cast<size_t>(size > 0 ? size : 0)};
}

}  // namespace

protocol::Thread DescribeThread(uint32_t os_id, uint32_t managed_id) { return {os_id, managed_id, NameOf(os_id)}; }

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
