#include "collector/capture/connection.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "collector/capture/clock.h"

namespace cairn::collector {

namespace {

// A listener with a full backlog refuses with EAGAIN on Unix sockets and cannot be polled for room.
constexpr int kBacklogRetryMs = 20;

bool FillAddress(const char* path, sockaddr_un& address) {
  const size_t size = std::strlen(path);
  if (size == 0 || size >= sizeof address.sun_path) return false;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path, size + 1);
  return true;
}

bool ConnectWithin(int socket, const sockaddr_un& address, int timeout_ms) {
  const uint64_t until = NowNs() + static_cast<uint64_t>(timeout_ms) * kNsPerMs;
  do {
    if (connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return true;
    if (errno != EAGAIN && errno != EINTR) return false;
    SleepMs(kBacklogRetryMs);
  } while (NowNs() < until);
  return false;
}

}  // namespace

bool Connection::Connect(const char* path, int timeout_ms) {
  sockaddr_un address{};
  if (!FillAddress(path, address)) return false;
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return false;
  if (!ConnectWithin(socket, address, timeout_ms)) {
    ::close(socket);
    return false;
  }
  Adopt(socket);
  return true;
}

void Connection::Adopt(int handle) {
  Close();
  handle_ = handle;
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

int Connection::Release() {
  const int handle = handle_;
  handle_ = -1;
  Close();
  return handle;
}

void Connection::Close() {
  if (handle_ >= 0) ::close(handle_);
  if (wake_ >= 0) ::close(wake_);
  handle_ = wake_ = -1;
}

void Connection::Shut() {
  if (handle_ >= 0) ::shutdown(handle_, SHUT_RDWR);
}

void Connection::StopWaiting() {
  const uint64_t one = 1;
  if (wake_ >= 0 && ::write(wake_, &one, sizeof one) < 0) Shut();
}

bool Connection::Write(const void* data, size_t size, int deadline_ms, const std::atomic<bool>& stop) {
  auto* at = static_cast<const uint8_t*>(data);
  while (size > 0 && !stop) {
    const ssize_t sent = ::send(handle_, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      at += sent;
      size -= static_cast<size_t>(sent);
      continue;
    }
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN) return false;
    pollfd ready{handle_, POLLOUT, 0};
    // Any progress starts the deadline anew: a slow client is not a dead one.
    if (::poll(&ready, 1, deadline_ms) == 0 || (ready.revents & (POLLERR | POLLHUP)) != 0) return false;
  }
  return size == 0;
}

Connection::Sign Connection::Wait(int timeout_ms) {
  pollfd ready[] = {{handle_, POLLIN, 0}, {wake_, POLLIN, 0}};
  const int count = ::poll(ready, 2, timeout_ms);
  if (count == 0 || (count < 0 && errno == EINTR)) return Sign::kNothing;
  if (count < 0) return Sign::kGone;
  return ready[0].revents != 0 ? Sign::kReadable : Sign::kNothing;
}

int64_t Connection::Read(void* to, size_t size) {
  const ssize_t got = ::recv(handle_, to, size, MSG_DONTWAIT);
  if (got < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
  return got == 0 ? -1 : got;
}

void CloseConnection(int handle) {
  if (handle >= 0) ::close(handle);
}

}  // namespace cairn::collector
