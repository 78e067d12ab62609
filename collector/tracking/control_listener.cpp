#include "collector/tracking/control_listener.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace cairn::collector {

namespace {

constexpr int kBacklog = 4;
constexpr unsigned kMostRuntimes = 8;
constexpr uid_t kUnmappedUser = 65534;

std::string StartTime() {
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return "0";
  char text[1024] = {};
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  // The name in field 2 may hold spaces and brackets; the last bracket ends it. Field 22 is the 20th after it.
  std::string_view rest(text, size > 0 ? static_cast<size_t>(size) : 0);
  const size_t bracket = rest.rfind(')');
  if (bracket == std::string_view::npos) return "0";
  rest.remove_prefix(bracket + 1);
  for (int field = 0; field < 20; ++field) {
    const size_t space = rest.find(' ');
    if (space == std::string_view::npos) return "0";
    rest.remove_prefix(space + 1);
  }
  return std::string(rest.substr(0, rest.find(' ')));
}

constexpr int kFolder = O_PATH | O_DIRECTORY | O_CLOEXEC;

int OpenIf(const char* path, int flags, bool (*fits)(const struct stat&)) {
  const int folder = path != nullptr && path[0] == '/' ? open(path, flags) : -1;
  struct stat info {};
  // The call itself: old C libraries have no function of that name.
  if (folder < 0 || (syscall(SYS_fstat, folder, &info) == 0 && fits(info))) return folder;
  close(folder);
  return -1;
}

bool IsOurs(const struct stat& folder) {
  return folder.st_uid == geteuid() && (folder.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Others may make names here, but neither remove nor replace ours.
bool IsKept(const struct stat& folder) { return (folder.st_mode & S_IWOTH) == 0 || (folder.st_mode & S_ISVTX) != 0; }

int OpenOwnFolder() { return OpenIf(std::getenv("CAIRN_CONTROL_DIR"), kFolder | O_NOFOLLOW, IsOurs); }

int OpenSharedFolder() {
  const char* folder = std::getenv("TMPDIR");
  return OpenIf(folder != nullptr && folder[0] != 0 ? folder : "/tmp", kFolder, IsKept);
}

// The mode of the socket's inode is that of the descriptor, so nobody else can connect even for a moment. Through the
// opened folder, whatever becomes of its path, and however long that is.
int BindPrivately(int folder, const std::string& name, int flags) {
  const std::string path = "/proc/self/fd/" + std::to_string(folder) + "/" + name;
  sockaddr_un address{};
  if (path.size() >= sizeof address.sun_path) return -1;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  if (listener < 0) return -1;
  const bool bound = fchmod(listener, S_IRUSR | S_IWUSR) == 0 &&
                     bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  if (bound && listen(listener, kBacklog) == 0) return listener;
  const int error = errno;
  if (bound) unlinkat(folder, name.c_str(), 0);
  close(listener);
  errno = error;
  return -1;
}

// The system asks the same of the socket's mode. A user of another namespace has no number here.
bool IsTrusted(int connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  return peer.uid == geteuid() || peer.uid == 0 || peer.uid == kUnmappedUser;
}

}  // namespace

std::string ControlSocketName(unsigned number) {
  const std::string name = "cairn-" + std::to_string(getpid()) + "-" + StartTime() + "-control";
  return number < 2 ? name : name + std::to_string(number);
}

bool ControlListener::Open(bool waits) { return OpenIn(OpenOwnFolder(), waits) || OpenIn(OpenSharedFolder(), waits); }

// Takes the folder over.
bool ControlListener::OpenIn(int folder, bool waits) {
  for (unsigned number = 1; folder >= 0 && number <= kMostRuntimes; ++number) {
    name_ = ControlSocketName(number);
    folder_ = folder;
    listener_ = BindPrivately(folder, name_, waits ? 0 : SOCK_NONBLOCK);
    if (listener_ >= 0) return true;
    if (errno != EADDRINUSE) break;
  }
  if (folder >= 0) close(folder);
  folder_ = -1;
  return false;
}

int ControlListener::Accept() {
  const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (connection < 0 || IsTrusted(connection)) return connection;
  close(connection);
  errno = ECONNABORTED;
  return -1;
}

void ControlListener::Close() {
  if (listener_ < 0) return;
  RemoveName();
  close(listener_);
  close(folder_);
  listener_ = folder_ = -1;
}

void ControlListener::RemoveName() const {
  if (listener_ >= 0) unlinkat(folder_, name_.c_str(), 0);
}

}  // namespace cairn::collector
