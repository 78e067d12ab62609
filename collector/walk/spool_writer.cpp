#include "collector/walk/spool_writer.h"

#include <cstring>

#include "collector/walk/pages.h"

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

// Bytes of each column that chunks commonly have: types and lengths of one or two bytes, few gaps, references of
// three bytes or less, hashes where they are kept.
constexpr size_t kCommon[stream::kColumnCount] = {
    size_t{stream::kMaxChunkObjects} * 2,
    size_t{stream::kMaxChunkObjects},
    size_t{16} << 10,
    size_t{stream::kMaxChunkObjects} * 2 * 3,
    size_t{64} << 10,
    size_t{128} << 10,
    size_t{16} << 10,
};

}  // namespace

bool SpoolWriter::PopulateStaging(uint8_t* end) {
  const Staging staging(end);
  for (size_t i = 0; i < stream::kColumnCount; ++i) {
    const uint64_t start = reinterpret_cast<uintptr_t>(staging.buffers[i]) & ~uint64_t{pages::kPageBytes - 1};
    const uint64_t bytes = reinterpret_cast<uintptr_t>(staging.buffers[i]) + kCommon[i] - start;
    if (!pages::Populate(reinterpret_cast<uint8_t*>(start), stream::AlignUp(bytes, pages::kPageBytes))) return false;
  }
  return true;
}

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

// Where the walk needs more than was foreseen: by the piece, which costs a fraction of faulting in page by page, and
// finds out in time that there is no memory left.
bool SpoolWriter::Reach(uint64_t bytes) {
  constexpr uint64_t kPiece = uint64_t{1} << 20;
  return bytes <= memory_.spool_touched_ || memory_.TouchSpool(bytes + kPiece);
}

bool SpoolWriter::Append() {
  uint32_t sizes[stream::kColumnCount];
  uint64_t bytes = kPrefixBytes;
  for (size_t i = 0; i < stream::kColumnCount; ++i) {
    sizes[i] = static_cast<uint32_t>(encoder_.ColumnSize(stream::kAllColumns[i]));
    bytes += sizes[i];
  }
  bytes = stream::AlignUp(bytes, kBlockAlignment);
  if (bytes > memory_.spool_capacity_ - memory_.spool_used_ || !Reach(memory_.spool_used_ + bytes)) {
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
