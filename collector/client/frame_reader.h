#pragma once
// Bytes of a connection → frames, each checked for magic, size, checksum and order.

#include <cstdint>
#include <span>
#include <vector>

#include "collector/protocol/protocol.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

struct Frame {
  protocol::FrameKind kind{};
  uint64_t sequence = 0;
  std::vector<uint8_t> payload;
  bool of_child = false;  // came over the second connection
};

class FrameReader {
 public:
  // Reads from a non-blocking socket, or from a file. True: `frame` is the next one; false: it is not all there yet.
  // Errors: stream.closed, stream.magic, stream.size, stream.checksum, stream.order. Nothing may be read
  // after one.
  Result<bool> Read(int fd, Frame& frame);

 private:
  Result<bool> Fill(int fd, uint8_t* to, size_t size);
  Status CheckHeader() const;
  Status CheckPayload() const;

  protocol::FrameHeader header_;
  std::vector<uint8_t> payload_;
  size_t have_ = 0;  // of the header, or of the payload
  bool in_payload_ = false;
  uint64_t expected_ = 0;
};

// What a kRefused says.
Error RefusalIn(const Frame& frame);

// Frames as the client sends them; the first without payload.
std::vector<uint8_t> EmptyFrame(protocol::FrameKind kind, uint64_t sequence);
std::vector<uint8_t> MakeFrame(protocol::FrameKind kind, uint64_t sequence, std::span<const uint8_t> payload);
// CRC-32C of header with checksum 0, then payload.
uint32_t FrameChecksum(protocol::FrameHeader header, std::span<const uint8_t> payload);

}  // namespace cairn::client
