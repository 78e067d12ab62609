#include "collector/client/machine.h"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace cairn::client {
namespace {

std::string CacheFolder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache) return std::string(cache) + "/cairn";
  const char* home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.cache/cairn" : std::string();
}

// The file that holds this very code, by the list of mappings; empty where it is not found.
std::string FileOfThisCode() {
  const auto here = reinterpret_cast<uintptr_t>(&FileOfThisCode);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t start = 0, end = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &start, &end) != 2 || here < start || here >= end) continue;
    const size_t path = line.find('/');
    return path == std::string::npos ? std::string() : line.substr(path);
  }
  return {};
}

}  // namespace

std::string ProgramPath() {
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  if (!program.filename().string().starts_with("ld-")) return program;
  return FileOfThisCode();
}

Machine Machine::This() {
  Machine machine;
  const char* tmp = std::getenv("TMPDIR");
  machine.own_tmp = tmp && *tmp ? tmp : "/tmp";
  machine.common_tmp = {machine.own_tmp, "/tmp", "/var/tmp", "/dev/shm"};
  machine.program_folder = std::filesystem::path(ProgramPath()).parent_path();
  machine.uid = geteuid();
  machine.cache_folder = CacheFolder();
  return machine;
}

}  // namespace cairn::client
