#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <set>

#include "collector/client/capture_listener.h"
#include "collector/client/capture_lock.h"
#include "collector/client/control_socket.h"
#include "collector/client/library_placement.h"
#include "collector/client/on_machine.h"
#include "collector/client/socket_finder.h"
#include "collector/client/unix_socket.h"

namespace cairn::client {
namespace {

// "cairn-PID-STARTTIME-control" of any process.
bool IsAnyControlName(const std::string& name) {
  constexpr std::string_view kPrefix = "cairn-";
  if (!name.starts_with(kPrefix)) return false;
  return IsControlName(name, std::atoll(name.c_str() + kPrefix.size()));
}

// Removes what is ours and out of use, folder by folder.
class Cleaner {
 public:
  explicit Cleaner(const Machine& machine) : machine_(machine) {}

  Result<std::vector<std::string>> Run() {
    for (const int64_t pid : machine_.proc.Pids()) NoteProcess(pid);
    for (const std::string& folder : machine_.common_tmp) NoteFolder(folder);
    for (const TargetFolder& folder : folders_) CleanFolder(folder);
    std::sort(removed_.begin(), removed_.end());
    return std::move(removed_);
  }

 private:
  void NoteProcess(int64_t pid) {
    auto target = InspectTarget(machine_, pid);
    if (!target) return;
    for (const MappedFile& file : target->maps.value_or(std::vector<MappedFile>())) mapped_.insert(file.inode);
    if (!target->sockets.empty() || target->Maps("libcoreclr.so")) Add(std::move(target->tmp));
  }

  void NoteFolder(const std::string& path) {
    Add({UniqueFd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), path});
  }

  // Each folder once, however many processes and names lead to it.
  void Add(TargetFolder folder) {
    struct stat info {};
    if (!folder.fd || fstat(folder.fd.Get(), &info) != 0) return;
    if (seen_.emplace(info.st_dev, info.st_ino).second) folders_.push_back(std::move(folder));
  }

  void CleanFolder(const TargetFolder& folder) {
    for (const std::string& name : FolderEntries(folder.fd.Get()))
      if (IsListenerName(name) || IsAnyControlName(name)) RemoveStaleSocket(folder.fd.Get(), folder.path, name);
    for (const uid_t uid : Owners(folder)) CleanPlaced(folder, uid);
  }

  // Whose placed libraries may be removed: our own, and root everybody's.
  std::set<uid_t> Owners(const TargetFolder& folder) const {
    std::set<uid_t> uids = {machine_.uid};
    if (machine_.uid != 0) return uids;
    for (const std::string& name : FolderEntries(folder.fd.Get())) {
      const auto uid =
          static_cast<uid_t>(std::strtoul(name.substr(std::min<size_t>(name.size(), 6)).c_str(), nullptr, 10));
      if (name == PlacementFolderName(uid)) uids.insert(uid);
    }
    return uids;
  }

  void CleanPlaced(const TargetFolder& folder, uid_t uid) {
    Machine owner = machine_;
    owner.uid = uid;
    const std::string path = folder.path + "/" + PlacementFolderName(uid);
    const auto placed = OpenPlacementFolder(owner, folder.fd.Get(), path, false);
    if (!placed || !*placed) return;
    const auto names = FolderEntries(placed->Get());
    for (const std::string& name : names)
      if (IsAnyControlName(name)) RemoveStaleSocket(placed->Get(), path, name);
    bool in_use = false;
    for (const std::string& name : names)
      if (IsLockName(name)) in_use |= !RemoveUnlocked(placed->Get(), path, name);
    // A capture that goes on may have placed its library and not loaded it yet.
    if (in_use) return;
    for (const std::string& name : names)
      if (IsPlacedName(name)) RemoveUnmapped(placed->Get(), path, name);
    unlinkat(folder.fd.Get(), PlacementFolderName(uid).c_str(), AT_REMOVEDIR);  // if nothing is left in it
  }

  void RemoveStaleSocket(int folder, const std::string& path, const std::string& name) {
    struct stat info {};
    if (fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISSOCK(info.st_mode)) return;
    if (ConnectBelow(folder, name) || errno != ECONNREFUSED) return;
    Remove(folder, path, name);
  }

  void RemoveUnmapped(int folder, const std::string& path, const std::string& name) {
    struct stat info {};
    if (fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 || mapped_.contains(info.st_ino)) return;
    Remove(folder, path, name);
  }

  // A lock whose owner died. False for one that is held.
  bool RemoveUnlocked(int folder, const std::string& path, const std::string& name) {
    UniqueFd file(openat(folder, name.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
    if (!file || flock(file.Get(), LOCK_EX | LOCK_NB) != 0) return false;
    Remove(folder, path, name);
    return true;
  }

  void Remove(int folder, const std::string& path, const std::string& name) {
    if (unlinkat(folder, name.c_str(), 0) == 0) removed_.push_back(path + "/" + name);
  }

  const Machine& machine_;
  std::set<uint64_t> mapped_;  // inodes
  std::set<std::pair<dev_t, ino_t>> seen_;
  std::vector<TargetFolder> folders_;
  std::vector<std::string> removed_;
};

}  // namespace

Result<std::vector<std::string>> CleanOn(const Machine& machine) { return Cleaner(machine).Run(); }

Result<std::vector<std::string>> Clean() { return CleanOn(Machine::This()); }

}  // namespace cairn::client
