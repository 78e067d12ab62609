#include "collector/capture/group_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>

namespace cairn::collector {

namespace {

// The path in the line of /proc/self/cgroup whose controllers are `controllers`, which may be one of several.
std::string GroupPath(std::string_view text, std::string_view controllers) {
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (second != std::string_view::npos) {
      const std::string list = "," + std::string(line.substr(first + 1, second - first - 1)) + ",";
      const std::string wanted = "," + std::string(controllers) + ",";
      if (controllers.empty() ? list == ",," : list.find(wanted) != std::string::npos) {
        return std::string(line.substr(second + 1));
      }
    }
    at += line.size() + 1;
  }
  return {};
}

}  // namespace

std::string ReadSmallFile(const std::string& path) {
  std::string text;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  char buffer[4096];
  for (ssize_t got; (got = read(file, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(got));
  close(file);
  return text;
}

uint64_t FirstNumber(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t:");
  if (start == std::string_view::npos) return kUnknownNumber;
  uint64_t value = kUnknownNumber;
  const auto result = std::from_chars(text.data() + start, text.data() + text.size(), value);
  return result.ec == std::errc{} ? value : kUnknownNumber;
}

uint64_t NumberAfter(std::string_view text, std::string_view key) {
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (line.starts_with(key)) return FirstNumber(line.substr(key.size()));
    at += line.size() + 1;
  }
  return kUnknownNumber;
}

void ForEachGroup(const std::string& proc, const std::string& root, std::string_view controllers,
                  const std::function<void(const std::string& folder)>& visit) {
  std::string path = GroupPath(ReadSmallFile(proc + "/self/cgroup"), controllers);
  for (; path.size() > 1; path.resize(path.rfind('/'))) visit(root + path);
  visit(root);
}

}  // namespace cairn::collector
