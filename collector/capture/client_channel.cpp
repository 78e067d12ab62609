#include "collector/capture/client_channel.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "collector/capture/clock.h"
#include "snapshot-format/stream/checksum.h"

namespace cairn::collector {

namespace {

// A listener with a full backlog refuses with EAGAIN on Unix sockets and cannot be polled for room.
constexpr int kBacklogRetryMs = 20;

// A client has nothing to say that is longer than an order.
constexpr uint32_t kMaxIncomingPayload = 256u << 10;

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

protocol::FrameHeader MakeHeader(protocol::FrameKind kind, uint64_t sequence, std::span<const uint8_t> payload) {
  protocol::FrameHeader header;
  header.kind = kind;
  header.payload_size = static_cast<uint32_t>(payload.size());
  header.sequence = sequence;
  const uint32_t of_header = stream::Crc32c(0, &header, sizeof header);
  header.checksum = stream::Crc32c(of_header, payload.data(), payload.size());
  return header;
}

bool ClientChannel::Connect(const char* path, int timeout_ms) {
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

void ClientChannel::Adopt(int socket) {
  Close();
  socket_ = socket;
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  sequence_ = 0;
  incoming_size_ = 0;
  broken_ = false;
}

int ClientChannel::Release() {
  const int socket = socket_;
  socket_ = -1;
  Close();
  return socket;
}

void ClientChannel::Close() {
  if (socket_ >= 0) ::close(socket_);
  if (wake_ >= 0) ::close(wake_);
  socket_ = wake_ = -1;
  broken_ = true;
}

void ClientChannel::Shut() {
  broken_ = true;
  if (socket_ >= 0) ::shutdown(socket_, SHUT_RDWR);
}

void ClientChannel::StopWaiting() {
  const uint64_t one = 1;
  if (wake_ >= 0 && ::write(wake_, &one, sizeof one) < 0) Shut();
}

void ClientChannel::SetDeadline(uint32_t milliseconds) {
  const uint32_t longest = 24u * 3600 * 1000;
  deadline_ms_ =
      milliseconds == 0 ? kDefaultDeadlineMs : static_cast<int>(milliseconds < longest ? milliseconds : longest);
}

bool ClientChannel::SendFrame(protocol::FrameKind kind, std::span<const uint8_t> payload) {
  const std::lock_guard lock(sending_);
  if (broken_ || payload.size() > protocol::kMaxFramePayload) return false;
  const protocol::FrameHeader header = MakeHeader(kind, sequence_, payload);
  if (!WriteAll(&header, sizeof header) || !WriteAll(payload.data(), payload.size())) {
    broken_ = true;
    return false;
  }
  ++sequence_;
  return true;
}

bool ClientChannel::WriteAll(const void* data, size_t size) {
  auto* at = static_cast<const uint8_t*>(data);
  while (size > 0 && !broken_) {
    const ssize_t sent = ::send(socket_, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      at += sent;
      size -= static_cast<size_t>(sent);
      continue;
    }
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN) return false;
    pollfd ready{socket_, POLLOUT, 0};
    // Any progress starts the deadline anew: a slow client is not a dead one.
    if (::poll(&ready, 1, deadline_ms_) == 0 || (ready.revents & (POLLERR | POLLHUP)) != 0) return false;
  }
  return size == 0;
}

ClientSign ClientChannel::WaitForClient(int timeout_ms) {
  if (broken_) return ClientSign::kGone;
  pollfd ready[] = {{socket_, POLLIN, 0}, {wake_, POLLIN, 0}};
  const int count = ::poll(ready, 2, timeout_ms);
  if (count == 0 || (count < 0 && errno == EINTR)) return ClientSign::kNothing;
  if (count < 0) return ClientSign::kGone;
  return ready[0].revents != 0 ? ReadSign() : ClientSign::kNothing;
}

ClientSign ClientChannel::WaitForFrame(int timeout_ms) {
  const uint64_t until = NowNs() + static_cast<uint64_t>(timeout_ms) * kNsPerMs;
  ClientSign sign = ClientSign::kNothing;
  for (uint64_t now = NowNs(); sign == ClientSign::kNothing && now < until; now = NowNs()) {
    sign = WaitForClient(static_cast<int>((until - now) / kNsPerMs) + 1);
  }
  return sign;
}

// Byte by frame: nothing is read beyond the frame that is under way.
ClientSign ClientChannel::ReadSign() {
  constexpr size_t kHeader = sizeof(protocol::FrameHeader);
  protocol::FrameHeader header;
  const bool has_header = incoming_size_ >= kHeader;
  if (has_header) std::memcpy(&header, incoming_.data(), kHeader);
  const size_t wanted = has_header ? kHeader + header.payload_size : kHeader;
  if (incoming_.size() < wanted) incoming_.resize(wanted);
  const ssize_t got = ::recv(socket_, incoming_.data() + incoming_size_, wanted - incoming_size_, MSG_DONTWAIT);
  if (got < 0) return errno == EAGAIN || errno == EINTR ? ClientSign::kNothing : ClientSign::kGone;
  if (got == 0) return ClientSign::kGone;
  incoming_size_ += static_cast<size_t>(got);
  if (incoming_size_ < wanted) return ClientSign::kNothing;
  std::memcpy(&header, incoming_.data(), kHeader);
  if (header.magic != protocol::kFrameMagic || header.payload_size > kMaxIncomingPayload) return ClientSign::kGone;
  return incoming_size_ < kHeader + header.payload_size ? ClientSign::kNothing : Understand(header);
}

ClientSign ClientChannel::Understand(const protocol::FrameHeader& header) {
  const std::span<const uint8_t> payload(incoming_.data() + sizeof header, header.payload_size);
  incoming_size_ = 0;
  if (header.checksum != MakeHeader(header.kind, header.sequence, payload).checksum) return ClientSign::kGone;
  if (header.kind == protocol::FrameKind::kOrder) {
    order_.assign(payload.begin(), payload.end());
    return ClientSign::kOrder;
  }
  const bool asks = header.kind == protocol::FrameKind::kCapture;
  if (payload.size() != (asks ? sizeof asked_ : 0)) return ClientSign::kGone;
  if (asks) std::memcpy(&asked_, payload.data(), sizeof asked_);
  if (asks) return ClientSign::kCapture;
  if (header.kind == protocol::FrameKind::kCancel) return ClientSign::kCancel;
  return header.kind == protocol::FrameKind::kDetach ? ClientSign::kDetach : ClientSign::kGone;
}

}  // namespace cairn::collector
