#include "collector/client/unix_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

namespace cairn::client {
namespace {

bool FillAddress(int folder_fd, const std::string& name, sockaddr_un& address) {
  const std::string path = folder_fd < 0 ? name : PathBelow(folder_fd, name);
  address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return false;
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return true;
}

UniqueFd NewSocket() { return UniqueFd(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)); }

UniqueFd FailWith(int error) {
  errno = error;
  return {};
}

}  // namespace

UniqueFd ConnectBelow(int folder_fd, const std::string& name) {
  sockaddr_un address;
  if (!FillAddress(folder_fd, name, address)) return {};
  UniqueFd fd = NewSocket();
  if (!fd || connect(fd.Get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return FailWith(errno);
  return fd;
}

UniqueFd ListenBelow(int folder_fd, const std::string& name) {
  sockaddr_un address;
  if (!FillAddress(folder_fd, name, address)) return {};
  UniqueFd fd = NewSocket();
  // Before bind: the file gets its mode when it is made, so there is no moment in which others may connect.
  if (!fd || fchmod(fd.Get(), 0600) != 0) return FailWith(errno);
  if (bind(fd.Get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return FailWith(errno);
  if (listen(fd.Get(), 8) != 0) return FailWith(errno);
  return fd;
}

Peer PeerOf(int fd) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return {};
  return {credentials.pid, credentials.uid};
}

}  // namespace cairn::client
