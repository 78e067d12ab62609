#pragma once
// Connecting to and binding Unix sockets inside an opened folder, whatever the length of its path.

#include <sys/types.h>

#include <string>

#include "collector/client/posix.h"

namespace cairn::client {

struct Peer {
  pid_t pid = 0;  // 0: not visible from here
  uid_t uid = 0;
};

// A connected, non-blocking socket; on failure an empty one, with errno set.
UniqueFd ConnectBelow(int folder_fd, const std::string& name);
// A bound, listening, non-blocking socket of mode 0600; on failure an empty one, with errno set.
UniqueFd ListenBelow(int folder_fd, const std::string& name);
// Who is at the other end: of an accepted connection the process that connected, of a connected one the
// process that listens.
Peer PeerOf(int fd);

}  // namespace cairn::client
