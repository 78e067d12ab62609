#pragma once
// The frames that the collector sends, as a client gets them.

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "collector/capture/client_channel.h"
#include "collector/protocol/protocol.h"

namespace cairn::collector {

struct SentFrame {
  protocol::FrameKind kind{};
  std::vector<uint8_t> payload;
  uint64_t sequence = 0;
  uint32_t checksum = 0;
  bool is_whole = false;  // if not, the connection ended within the payload
};

// The next one, or nothing at the end.
inline std::optional<SentFrame> ReceiveFrame(int socket, int flags = MSG_WAITALL) {
  protocol::FrameHeader header;
  if (recv(socket, &header, sizeof header, flags) != static_cast<ssize_t>(sizeof header)) return std::nullopt;
  SentFrame frame{header.kind, std::vector<uint8_t>(header.payload_size), header.sequence, header.checksum};
  const ssize_t got = frame.payload.empty() ? 0 : recv(socket, frame.payload.data(), frame.payload.size(), flags);
  frame.payload.resize(static_cast<size_t>(std::max(got, ssize_t{0})));
  frame.is_whole = frame.payload.size() == header.payload_size;
  return frame;
}

// Every whole one until the other side closes; sequence and checksum are checked. `first`: the first sequence.
inline std::vector<SentFrame> ReadFrames(int socket, uint64_t first = 0) {
  std::vector<SentFrame> frames;
  for (auto frame = ReceiveFrame(socket); frame && frame->is_whole; frame = ReceiveFrame(socket)) {
    EXPECT_EQ(frame->sequence, first + frames.size());
    EXPECT_EQ(frame->checksum, MakeHeader(frame->kind, frame->sequence, frame->payload).checksum);
    frames.push_back(*std::move(frame));
  }
  return frames;
}

}  // namespace cairn::collector
