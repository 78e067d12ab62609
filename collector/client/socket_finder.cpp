#include "collector/client/socket_finder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <tuple>

namespace cairn::client {
namespace {

constexpr size_t kLongestSocketPath = 107;  // sun_path without its final 0
constexpr std::string_view kSuffix = "-socket";

std::string Prefix(int64_t inner_pid) { return "dotnet-diagnostic-" + std::to_string(inner_pid) + "-"; }

}  // namespace

bool IsDiagnosticsName(const std::string& name, int64_t inner_pid, size_t folder_length) {
  const std::string prefix = Prefix(inner_pid);
  if (!name.starts_with(prefix)) return false;
  const std::string_view rest = std::string_view(name).substr(prefix.size());
  const size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const std::string_view tail = rest.substr(digits);
  if (digits > 0 && tail == kSuffix) return true;
  const bool cut = folder_length + 1 + name.size() == kLongestSocketPath;
  return cut && kSuffix.starts_with(tail) && (digits > 0 || tail.empty());
}

std::vector<std::string> FolderEntries(int folder_fd) {
  std::vector<std::string> names;
  // A descriptor of its own: two readers of one folder would share the position.
  const int own = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(own < 0 ? nullptr : fdopendir(own), closedir);
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) names.emplace_back(entry->d_name);
  return names;
}

std::vector<std::string> FindDiagnosticsSockets(int folder_fd, size_t folder_length, int64_t inner_pid,
                                                uint64_t start_time) {
  const std::string exact = Prefix(inner_pid) + std::to_string(start_time) + std::string(kSuffix);
  std::vector<std::tuple<bool, int64_t, int64_t, std::string>> found;
  for (const std::string& name : FolderEntries(folder_fd)) {
    struct stat info {};
    if (!IsDiagnosticsName(name, inner_pid, folder_length)) continue;
    if (fstatat(folder_fd, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISSOCK(info.st_mode)) continue;
    found.emplace_back(name == exact, info.st_mtim.tv_sec, info.st_mtim.tv_nsec, name);
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<std::string> names;
  for (auto& entry : found) names.push_back(std::move(std::get<3>(entry)));
  return names;
}

}  // namespace cairn::client
