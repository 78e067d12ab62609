#include "collector/capture/client_channel.h"

#include <cstring>

#include "collector/capture/clock.h"
#include "snapshot-format/stream/checksum.h"

namespace cairn::collector {

namespace {

// A client has nothing to say that is longer than an order.
constexpr uint32_t kMaxIncomingPayload = 256u << 10;

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
  if (!connection_.Connect(path, timeout_ms)) return false;
  Begin();
  return true;
}

void ClientChannel::Adopt(int handle) {
  connection_.Adopt(handle);
  Begin();
}

void ClientChannel::Begin() {
  sequence_ = 0;
  incoming_size_ = 0;
  broken_ = false;
}

int ClientChannel::Release() {
  broken_ = true;
  return connection_.Release();
}

void ClientChannel::Close() {
  connection_.Close();
  broken_ = true;
}

void ClientChannel::Shut() {
  broken_ = true;
  connection_.Shut();
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
  return connection_.Write(data, size, deadline_ms_, broken_);
}

ClientSign ClientChannel::WaitForClient(int timeout_ms) {
  const Connection::Sign sign = broken_ ? Connection::Sign::kGone : connection_.Wait(timeout_ms);
  if (sign == Connection::Sign::kReadable) return ReadSign();
  return sign == Connection::Sign::kGone ? ClientSign::kGone : ClientSign::kNothing;
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
  const int64_t got = connection_.Read(incoming_.data() + incoming_size_, wanted - incoming_size_);
  if (got < 0) return ClientSign::kGone;
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
