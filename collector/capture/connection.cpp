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

// Where the system refuses to wait (for want of memory, or by a seccomp profile), it is looked so often instead.
constexpr int kLookMs = 5;

bool IsRefused(int polled) { return polled < 0 && errno != EINTR; }

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
  is_woken_ = false;
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
  is_woken_ = true;
  const uint64_t one = 1;
  if (wake_ >= 0 && ::write(wake_, &one, sizeof one) < 0) Shut();
}

bool Connection::Write(const void* data, size_t size, int deadline_ms, const std::atomic<bool>& stop) {
  auto* at = static_cast<const uint8_t*>(data);
  uint64_t moved_ns = NowNs();
  while (size > 0 && !stop) {
    const ssize_t sent = ::send(handle_, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      at += sent;
      size -= static_cast<size_t>(sent);
      moved_ns = NowNs();
      continue;
    }
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN) return false;
    pollfd ready{handle_, POLLOUT, 0};
    // Any progress starts the deadline anew: a slow client is not a dead one.
    const int count = ::poll(&ready, 1, deadline_ms);
    const bool is_refused = IsRefused(count);
    if (is_refused) SleepMs(kLookMs);
    const bool is_late = is_refused && MsBetween(moved_ns, NowNs()) >= deadline_ms;
    if (count == 0 || is_late || (ready.revents & (POLLERR | POLLHUP)) != 0) return false;
  }
  return size == 0;
}

Connection::Sign Connection::Wait(int timeout_ms) {
  pollfd ready[] = {{handle_, POLLIN, 0}, {wake_, POLLIN, 0}};
  const int count = ::poll(ready, 2, timeout_ms);
  if (IsRefused(count)) return Look(timeout_ms);
  if (count <= 0) return Sign::kNothing;
  return ready[0].revents != 0 ? Sign::kReadable : Sign::kNothing;
}

// What is broken counts as readable, as with poll.
Connection::Sign Connection::Look(int timeout_ms) const {
  for (const uint64_t began_ns = NowNs();; SleepMs(kLookMs)) {
    uint8_t next = 0;
    if (::recv(handle_, &next, sizeof next, MSG_PEEK | MSG_DONTWAIT) >= 0 || (errno != EAGAIN && errno != EINTR))
      return Sign::kReadable;
    if (is_woken_ || MsBetween(began_ns, NowNs()) >= timeout_ms) return Sign::kNothing;
  }
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
