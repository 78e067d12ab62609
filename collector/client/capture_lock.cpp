#include "collector/client/capture_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "collector/client/library_placement.h"

namespace cairn::client {
namespace {

// Is the file we locked still the one under that name? Its owner before removes it while holding the lock.
bool StillThere(int folder, const std::string& name, int file) {
  struct stat opened {
  }, named{};
  return fstat(file, &opened) == 0 && fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

bool IsLockName(const std::string& name) { return name.starts_with("capture-") && name.ends_with(".lock"); }

Result<CaptureLock> CaptureLock::Take(const Machine& machine, const Target& target) {
  CaptureLock lock;
  const std::string path = target.tmp.path + "/" + PlacementFolderName(machine.uid);
  auto folder = OpenPlacementFolder(machine, target.tmp.fd.Get(), path, true);
  if (!folder) return tl::make_unexpected(folder.error());
  lock.folder_ = std::move(*folder);
  lock.name_ = "capture-" + std::to_string(target.status.inner_pid) + "-" + std::to_string(target.start_time) + ".lock";
  constexpr int kFlags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
  do {
    UniqueFd file(openat(lock.folder_.Get(), lock.name_.c_str(), kFlags, 0600));
    if (!file)
      return Fail(ErrorKind::kFailed, "placement.unwritable",
                  path + "/" + lock.name_ + " cannot be made: " + ErrnoText(errno) + ".", "Make the folder writable.");
    const bool locked = flock(file.Get(), LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno != EWOULDBLOCK)
      return Fail(ErrorKind::kFailed, "placement.unwritable",
                  path + "/" + lock.name_ + " cannot be locked: " + ErrnoText(errno) + ".",
                  "Set TMPDIR of the target to a folder on a file system with locks.");
    if (!locked)
      return Fail(ErrorKind::kFailed, "attach.in_progress",
                  "Another capture of process " + std::to_string(target.pid) + " is going on.",
                  "Wait until it has ended.");
    lock.file_ = std::move(file);
  } while (!StillThere(lock.folder_.Get(), lock.name_, lock.file_.Get()));
  return lock;
}

CaptureLock::~CaptureLock() {
  if (file_) unlinkat(folder_.Get(), name_.c_str(), 0);
}

}  // namespace cairn::client
