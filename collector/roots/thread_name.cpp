#include "collector/roots/thread_name.h"

#include <fcntl.h>
#include <unistd.h>

namespace cairn::collector {

std::string ThreadName(uint32_t os_id) {
  const std::string path = "/proc/self/task/" + std::to_string(os_id) + "/comm";
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  char text[64];
  ssize_t size = read(file, text, sizeof text);
  close(file);
  while (size > 0 && text[size - 1] == '\n') --size;
  return {text, static_cast<size_t>(size > 0 ? size : 0)};
}

}  // namespace cairn::collector
