#include "collector/client/target_folder.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace cairn::client {
namespace {

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

// An absolute link inside a container must not lead into our own file system.
int OpenInRoot(int root, const std::string& path) {
  open_how how{};
  how.flags = kFolder;
  how.resolve = RESOLVE_IN_ROOT;
  const long fd = syscall(SYS_openat2, root, path.c_str(), &how, sizeof how);
  if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) return static_cast<int>(fd);
  return openat(root, path.c_str() + path.find_first_not_of('/'), kFolder);
}

}  // namespace

Result<TargetFolder> OpenTargetFolder(const Machine& machine, int64_t pid, const std::string& path) {
  TargetFolder folder;
  folder.path = path;
  while (folder.path.size() > 1 && folder.path.back() == '/') folder.path.pop_back();
  UniqueFd root(open(machine.proc.Path(pid, "root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  // Without the right to pass through its root, the folder of the same name here is the best guess.
  folder.fd.Reset(root ? OpenInRoot(root.Get(), folder.path) : open(folder.path.c_str(), kFolder));
  if (!folder.fd)
    return Fail(ErrorKind::kFailed, root && errno == ENOENT ? "target.no_folder" : "target.folder",
                folder.path + " of process " + std::to_string(pid) + " cannot be opened: " + ErrnoText(errno) + ".");
  return folder;
}

}  // namespace cairn::client
