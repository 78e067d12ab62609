#include "collector/client/capture_listener.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "collector/protocol/protocol.h"

namespace cairn::client {
namespace {

constexpr size_t kRandomBytes = 8;
constexpr std::string_view kPrefix = "cairn-", kSuffix = "-capture";

bool Fits(const std::string& folder, const std::string& name) {
  return folder.size() + 1 + name.size() < protocol::kSocketPathBytes;
}

tl::unexpected<Error> Failed(const std::string& path, int error) {
  return Fail(ErrorKind::kFailed, "listener.failed",
              "The capture's socket cannot be made in " + path + ": " + ErrnoText(error) + ".",
              "Run cairn as the target's user or as root, and see that the folder is writable.");
}

}  // namespace

bool IsListenerName(const std::string& name) {
  if (name.size() != kPrefix.size() + 2 * kRandomBytes + kSuffix.size()) return false;
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return false;
  return name.substr(kPrefix.size(), 2 * kRandomBytes).find_first_not_of("0123456789abcdef") == std::string::npos;
}

Result<CaptureListener> CaptureListener::Open(const Machine& machine, const Target& target) {
  CaptureListener listener;
  listener.name_ = std::string(kPrefix) + RandomHex(kRandomBytes) + std::string(kSuffix);
  std::string folder = target.tmp.path;
  if (Fits(folder, listener.name_)) {
    listener.folder_.Reset(fcntl(target.tmp.fd.Get(), F_DUPFD_CLOEXEC, 0));
  } else {
    folder = "/tmp";
    auto other = OpenTargetFolder(machine, target.pid, folder);
    if (!other)
      return Fail(ErrorKind::kFailed, "listener.path_too_long",
                  "The target's temporary folder " + target.tmp.path + " is too long for a socket path.",
                  "Set TMPDIR of the target to a shorter path.");
    listener.folder_ = std::move(other->fd);
  }
  listener.path_ = folder + "/" + listener.name_;
  listener.socket_ = ListenBelow(listener.folder_.Get(), listener.name_);
  if (!listener.socket_) return Failed(folder, errno);
  const bool foreign = machine.uid == 0 && target.status.uid != 0;
  if (foreign && fchownat(listener.folder_.Get(), listener.name_.c_str(), target.status.uid, target.status.gid,
                          AT_SYMLINK_NOFOLLOW) != 0)
    return Failed(folder, errno);
  return listener;
}

CaptureListener::~CaptureListener() {
  if (socket_) unlinkat(folder_.Get(), name_.c_str(), 0);
}

UniqueFd CaptureListener::Accept(const Target& target) const {
  UniqueFd connection(accept4(socket_.Get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!connection) return {};
  const Peer peer = PeerOf(connection.Get());
  if (peer.pid != target.pid || peer.uid != target.status.uid) return {};
  return connection;
}

void CaptureListener::TurnAwayAll() const {
  while (UniqueFd(accept4(socket_.Get(), nullptr, nullptr, SOCK_CLOEXEC))) continue;
}

}  // namespace cairn::client
