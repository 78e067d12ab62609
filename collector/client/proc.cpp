#include "collector/client/proc.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <sstream>

#include "collector/client/posix.h"

namespace cairn::client {
namespace {

std::optional<int64_t> WholeNumber(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<std::string> ReadLink(const std::string& path) {
  char buffer[4096];
  const ssize_t size = readlink(path.c_str(), buffer, sizeof buffer);
  if (size < 0) return std::nullopt;
  return std::string(buffer, static_cast<size_t>(size));
}

// The value of one line of /proc/PID/status, without the name.
std::string StatusLine(const std::string& status, const std::string& name) {
  const std::string key = "\n" + name + ":";
  const size_t at = status.find(key);
  if (at == std::string::npos) return {};
  const size_t begin = at + key.size();
  return status.substr(begin, status.find('\n', begin) - begin);
}

// One field of /proc/PID/stat after the command, by its number there.
std::optional<int64_t> StatField(const std::optional<std::string>& stat, int number) {
  // The command in brackets may itself hold brackets and blanks: count from the last one.
  const size_t close = stat ? stat->rfind(')') : std::string::npos;
  if (close == std::string::npos) return std::nullopt;
  std::istringstream fields(stat->substr(close + 1));
  std::string field;
  for (int at = 3; at <= number; ++at)
    if (!(fields >> field)) return std::nullopt;
  return WholeNumber(field);
}

std::vector<int64_t> Numbers(const std::string& text) {
  std::istringstream in(text);
  std::vector<int64_t> numbers;
  for (int64_t number = 0; in >> number;) numbers.push_back(number);
  return numbers;
}

void KeepSmaller(std::optional<uint64_t>& limit, const std::optional<std::string>& text) {
  if (!text) return;
  const auto value = WholeNumber(text->substr(0, text->find('\n')));
  // The first cgroup version writes a huge number for "no limit".
  if (!value || *value <= 0 || *value >= int64_t{1} << 60) return;
  limit = std::min(limit.value_or(UINT64_MAX), static_cast<uint64_t>(*value));
}

}  // namespace

std::string ProcFs::Path(int64_t pid, const std::string& leaf) const {
  return root_ + "/" + std::to_string(pid) + "/" + leaf;
}

std::vector<int64_t> ProcFs::Pids() const {
  std::vector<int64_t> pids;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(root_.c_str()), closedir);
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr)
    if (const auto pid = WholeNumber(entry->d_name)) pids.push_back(*pid);
  std::sort(pids.begin(), pids.end());
  return pids;
}

bool ProcFs::Exists(int64_t pid) const { return access(Path(pid, "stat").c_str(), F_OK) == 0; }

std::optional<ProcStatus> ProcFs::Status(int64_t pid) const {
  const auto text = ReadFile(Path(pid, "status"));
  if (!text) return std::nullopt;
  ProcStatus status;
  const std::string state = StatusLine(*text, "State");
  if (const size_t at = state.find_first_not_of(" \t"); at != std::string::npos) status.state = state[at];
  const auto uids = Numbers(StatusLine(*text, "Uid")), gids = Numbers(StatusLine(*text, "Gid"));
  if (uids.size() < 2 || gids.size() < 2) return std::nullopt;
  status.uid = static_cast<uid_t>(uids[1]);
  status.gid = static_cast<gid_t>(gids[1]);
  const auto pids = Numbers(StatusLine(*text, "NSpid"));
  status.inner_pid = pids.empty() ? pid : pids.back();
  return status;
}

std::optional<int64_t> ProcFs::Parent(int64_t pid) const { return StatField(ReadFile(Path(pid, "stat")), 4); }

std::optional<uint64_t> ProcFs::StartTime(int64_t pid) const {
  const auto value = StatField(ReadFile(Path(pid, "stat")), 22);
  return value ? std::optional<uint64_t>(static_cast<uint64_t>(*value)) : std::nullopt;
}

std::optional<std::vector<std::string>> ProcFs::Environment(int64_t pid) const {
  const auto text = ReadFile(Path(pid, "environ"));
  if (!text) return std::nullopt;
  return Split(*text, '\0');
}

std::vector<std::string> ProcFs::CommandLine(int64_t pid) const {
  return Split(ReadFile(Path(pid, "cmdline")).value_or(""), '\0');
}

std::optional<std::string> ProcFs::Executable(int64_t pid) const {
  auto path = ReadLink(Path(pid, "exe"));
  constexpr std::string_view kDeleted = " (deleted)";
  if (path && path->ends_with(kDeleted)) path->resize(path->size() - kDeleted.size());
  return path;
}

std::optional<std::vector<MappedFile>> ProcFs::Maps(int64_t pid) const {
  const auto text = ReadFile(Path(pid, "maps"));
  if (!text) return std::nullopt;
  std::vector<MappedFile> files;
  for (const std::string& line : Split(*text, '\n')) {
    // address perms offset dev inode path
    std::istringstream in(line);
    std::string range, permissions, offset, device, path;
    uint64_t inode = 0;
    in >> range >> permissions >> offset >> device >> inode >> std::ws;
    std::getline(in, path);
    if (inode != 0 && (files.empty() || files.back().path != path)) files.push_back({path, inode});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  files.erase(std::unique(files.begin(), files.end(), [](auto& a, auto& b) { return a.path == b.path; }), files.end());
  return files;
}

uint64_t ProcFs::ResidentBytes(int64_t pid) const {
  const auto pages = Numbers(ReadFile(Path(pid, "statm")).value_or(""));
  return pages.size() < 2 ? 0 : static_cast<uint64_t>(pages[1]) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

std::string ProcFs::MountNamespace(int64_t pid) const { return ReadLink(Path(pid, "ns/mnt")).value_or(""); }

std::optional<uint64_t> ProcFs::MemoryLimit(int64_t pid, const std::string& cgroup_root) const {
  std::optional<uint64_t> limit;
  for (const std::string& line : Split(ReadFile(Path(pid, "cgroup")).value_or(""), '\n')) {
    // number:controllers:path, of which only the path may hold colons
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool unified = controllers.empty();
    if (!unified && controllers.find("memory") == std::string::npos) continue;
    const std::string root = unified ? cgroup_root : cgroup_root + "/memory";
    const char* leaf = unified ? "memory.max" : "memory.limit_in_bytes";
    for (std::filesystem::path group = line.substr(second + 1);; group = group.parent_path()) {
      KeepSmaller(limit, ReadFile(root + group.string() + "/" + leaf));
      if (group == group.root_path() || group.empty()) break;
    }
  }
  return limit;
}

std::optional<std::string> FindVariable(const std::vector<std::string>& environment, const std::string& name) {
  for (const std::string& entry : environment)
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name))
      return entry.substr(name.size() + 1);
  return std::nullopt;
}

}  // namespace cairn::client
