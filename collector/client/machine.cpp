#include "collector/client/machine.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace cairn::client {
namespace {

std::string CacheFolder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache) return std::string(cache) + "/cairn";
  const char* home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.cache/cairn" : std::string();
}

}  // namespace

Machine Machine::This() {
  Machine machine;
  const char* tmp = std::getenv("TMPDIR");
  machine.own_tmp = tmp && *tmp ? tmp : "/tmp";
  machine.common_tmp = {machine.own_tmp, "/tmp", "/var/tmp", "/dev/shm"};
  std::error_code ignored;
  machine.program_folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  machine.uid = geteuid();
  machine.cache_folder = CacheFolder();
  return machine;
}

}  // namespace cairn::client
