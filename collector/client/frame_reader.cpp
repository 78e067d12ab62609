#include "collector/client/frame_reader.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "collector/client/posix.h"
#include "collector/protocol/messages.h"
#include "snapshot-format/stream/checksum.h"
#include "snapshot-format/stream/records.h"

namespace cairn::client {
namespace {

tl::unexpected<Error> Bad(const char* code, const std::string& sentence) {
  return Fail(ErrorKind::kFailed, code, sentence, "Capture again; if it stays, report it.");
}

}  // namespace

Result<bool> FrameReader::Fill(int fd, uint8_t* to, size_t size) {
  while (have_ < size) {
    const ssize_t got = read(fd, to + have_, size - have_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return false;
    if (got <= 0) return Bad("stream.closed", "The collector's connection ended before everything was sent.");
    have_ += static_cast<size_t>(got);
  }
  return true;
}

Status FrameReader::CheckHeader() const {
  if (header_.magic != protocol::kFrameMagic)
    return Bad("stream.magic", "Frame " + std::to_string(expected_) + " of the collector does not start as a frame.");
  if (header_.payload_size > protocol::kMaxFramePayload)
    return Bad("stream.size", "Frame " + std::to_string(expected_) + " of the collector claims " +
                                  std::to_string(header_.payload_size) + " bytes, more than a frame may have.");
  return {};
}

Status FrameReader::CheckPayload() const {
  if (FrameChecksum(header_, payload_) != header_.checksum)
    return Bad("stream.checksum", "Frame " + std::to_string(expected_) + " of the collector arrived damaged.");
  if (header_.sequence != expected_)
    return Bad("stream.order", "Frame " + std::to_string(header_.sequence) + " of the collector came where frame " +
                                   std::to_string(expected_) + " was due.");
  return {};
}

Result<bool> FrameReader::Read(int fd, Frame& frame) {
  if (!in_payload_) {
    const auto filled = Fill(fd, reinterpret_cast<uint8_t*>(&header_), sizeof header_);
    if (!filled || !*filled) return filled;
    CAIRN_TRY(CheckHeader());
    payload_.resize(header_.payload_size);
    have_ = 0;
    in_payload_ = true;
  }
  const auto filled = Fill(fd, payload_.data(), payload_.size());
  if (!filled || !*filled) return filled;
  CAIRN_TRY(CheckPayload());
  frame = {header_.kind, header_.sequence, std::move(payload_)};
  payload_ = {};
  have_ = 0;
  in_payload_ = false;
  ++expected_;
  return true;
}

uint32_t FrameChecksum(protocol::FrameHeader header, std::span<const uint8_t> payload) {
  header.checksum = 0;
  return stream::Crc32c(stream::Crc32c(0, &header, sizeof header), payload.data(), payload.size());
}

Error RefusalIn(const Frame& frame) {
  protocol::Refused refused;
  stream::RecordReader reader(frame.payload);
  reader(refused);
  return {ErrorKind::kFailed, refused.code, refused.message, refused.hint};
}

std::vector<uint8_t> EmptyFrame(protocol::FrameKind kind, uint64_t sequence) { return MakeFrame(kind, sequence, {}); }

std::vector<uint8_t> MakeFrame(protocol::FrameKind kind, uint64_t sequence, std::span<const uint8_t> payload) {
  protocol::FrameHeader header;
  header.kind = kind;
  header.sequence = sequence;
  header.payload_size = static_cast<uint32_t>(payload.size());
  header.checksum = FrameChecksum(header, payload);
  std::vector<uint8_t> bytes(sizeof header + payload.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  if (!payload.empty()) std::memcpy(bytes.data() + sizeof header, payload.data(), payload.size());
  return bytes;
}

}  // namespace cairn::client
