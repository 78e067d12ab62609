#include "collector/tracking/control_listener.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace cairn::collector {

namespace {

constexpr int kBacklog = 4;

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

std::string ControlFolder() {
  for (const char* variable : {"CAIRN_CONTROL_DIR", "TMPDIR"}) {
    const char* folder = std::getenv(variable);
    if (folder != nullptr && folder[0] != 0) return folder;
  }
  return "/tmp";
}

// The mode of the socket's inode is that of the descriptor, so nobody else can connect even for a moment.
int BindPrivately(const std::string& path, int flags) {
  sockaddr_un address{};
  if (path.size() >= sizeof address.sun_path) return -1;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  if (listener < 0) return -1;
  const bool bound = fchmod(listener, S_IRUSR | S_IWUSR) == 0 &&
                     bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  if (bound && listen(listener, kBacklog) == 0) return listener;
  if (bound) unlink(path.c_str());
  close(listener);
  return -1;
}

}  // namespace

std::string ControlSocketPath() {
  return ControlFolder() + "/cairn-" + std::to_string(getpid()) + "-" + StartTime() + "-control";
}

bool ControlListener::Open(bool waits) {
  path_ = ControlSocketPath();
  listener_ = BindPrivately(path_, waits ? 0 : SOCK_NONBLOCK);
  return listener_ >= 0;
}

int ControlListener::Accept() const { return accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK); }

void ControlListener::Close() {
  if (listener_ < 0) return;
  RemoveName();
  close(listener_);
  listener_ = -1;
}

void ControlListener::RemoveName() const {
  if (listener_ >= 0) unlink(path_.c_str());
}

}  // namespace cairn::collector
