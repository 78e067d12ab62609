#include "collector/walk/spool_writer.h"

#include <cstring>

namespace cairn::collector {
namespace {

struct Staging {
  uint8_t* buffers[stream::kColumnCount];

  // The buffers end where the spool starts. Without memory nothing is ever encoded.
  explicit Staging(uint8_t* end) : buffers{} {
    if (end == nullptr) return;
    for (size_t i = stream::kColumnCount; i-- > 0;) buffers[i] = end -= stream::ChunkEncoder::kCapacity[i];
  }
};

}  // namespace

SpoolWriter::SpoolWriter(WalkMemory& memory, unsigned address_shift, ChunkSink* sink)
    : memory_(memory), sink_(sink), encoder_(Staging(memory.spool_).buffers, address_shift) {}

bool SpoolWriter::Flush() {
  encoder_.End();
  const stream::ChunkHeader& header = encoder_.Header();
  if (header.object_count != 0 || header.slot_count != 0) {
    if (sink_ != nullptr ? !sink_->Take(encoder_) : !Append()) return false;
    ++sequence_;
    ++chunks_;
  }
  encoder_.Begin(range_, sequence_);
  return true;
}

bool SpoolWriter::Append() {
  uint32_t sizes[stream::kColumnCount];
  uint64_t bytes = kPrefixBytes;
  for (size_t i = 0; i < stream::kColumnCount; ++i) {
    sizes[i] = static_cast<uint32_t>(encoder_.ColumnSize(stream::kAllColumns[i]));
    bytes += sizes[i];
  }
  bytes = stream::AlignUp(bytes, kBlockAlignment);
  if (bytes > memory_.spool_capacity_ - memory_.spool_used_) {
    missing_ = bytes;
    return false;
  }
  uint8_t* out = memory_.spool_ + memory_.spool_used_;
  std::memcpy(out, &encoder_.Header(), sizeof(stream::ChunkHeader));
  std::memcpy(out + sizeof(stream::ChunkHeader), sizes, sizeof sizes);
  out += kPrefixBytes;
  for (size_t i = 0; i < stream::kColumnCount; ++i) {
    std::memcpy(out, encoder_.Column(stream::kAllColumns[i]), sizes[i]);
    out += sizes[i];
  }
  memory_.spool_used_ += bytes;
  return true;
}

}  // namespace cairn::collector
