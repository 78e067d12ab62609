#include "collector/capture/child_stream.h"

#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include "collector/capture/chunk_packer.h"
#include "snapshot-format/stream/checksum.h"

namespace cairn::collector {

namespace {

using protocol::ChildFate;
using protocol::FrameKind;
using stream::ChunkEncoder;

// How often the memory that is left is looked at.
constexpr uint64_t kChunksPerLook = 8;

// ChunkNumbers, the count of columns, the columns: see messages.h.
constexpr size_t kChunkHeadBytes = 6 * 4 + 4 * 8 + 4 + stream::kColumnCount * 9;

constexpr size_t MostPayload() {
  size_t bytes = kChunkHeadBytes;
  for (const size_t capacity : ChunkEncoder::kCapacity) bytes += ZSTD_COMPRESSBOUND(capacity);
  return bytes;
}
constexpr size_t kMostPayload = MostPayload();
static_assert(kMostPayload <= protocol::kMaxFramePayload);

}  // namespace

size_t ChildStream::WorkspaceBytes() { return ZSTD_estimateCCtxSize(ColumnCompressor::kLevel); }
size_t ChildStream::FrameBytes() { return sizeof(protocol::FrameHeader) + kMostPayload; }

ChildStream::ChildStream(const Parts& parts)
    : parts_(parts), compressor_(ZSTD_initStaticCCtx(parts.workspace, WorkspaceBytes())) {}

uint8_t* ChildStream::Payload() const { return parts_.frame + sizeof(protocol::FrameHeader); }

bool ChildStream::Fail(ChildFate fate) {
  fate_ = fate;
  return false;
}

bool ChildStream::HasMemory() {
  return chunks_ % kChunksPerLook != 0 || child::AvailableMemory(parts_.group) >= parts_.least_memory;
}

bool ChildStream::Take(const ChunkEncoder& encoder) {
  if (compressor_ == nullptr) return Fail(ChildFate::kFault);
  if (!HasMemory()) return Fail(ChildFate::kNoMemory);
  protocol::ChunkColumn columns[stream::kColumnCount];
  size_t size = kChunkHeadBytes;
  for (const stream::ColumnKind kind : stream::kAllColumns) {
    protocol::ChunkColumn& column = columns[stream::ColumnSlot(kind)];
    column.kind = static_cast<uint8_t>(kind);
    column.raw_size = static_cast<uint32_t>(encoder.ColumnSize(kind));
    if (column.raw_size == 0) continue;
    const size_t written = ZSTD_compressCCtx(compressor_, Payload() + size, kMostPayload - size, encoder.Column(kind),
                                             column.raw_size, ColumnCompressor::kLevel);
    if (ZSTD_isError(written)) return Fail(ChildFate::kFault);
    column.compressed_size = static_cast<uint32_t>(written);
    size += written;
  }
  FixedWriter writer(Payload());
  writer(protocol::NumbersOf(encoder.Header()));
  writer(static_cast<uint32_t>(stream::kColumnCount));
  for (const protocol::ChunkColumn& column : columns) writer(column);
  if (writer.Size() != kChunkHeadBytes) return Fail(ChildFate::kFault);
  ++chunks_;
  return Send(FrameKind::kChunk, size);
}

bool ChildStream::SendWalk(const protocol::ChildWalk& walk, std::span<const uint64_t> range_edges) {
  if ((range_edges.size() + 16) * sizeof(uint64_t) > kMostPayload) return Fail(ChildFate::kFault);
  FixedWriter writer(Payload());
  writer(walk);
  writer(static_cast<uint32_t>(range_edges.size()));
  for (const uint64_t edges : range_edges) writer(edges);
  return Send(FrameKind::kChildWalk, writer.Size());
}

bool ChildStream::SendEnd() {
  FixedWriter writer(Payload());
  writer(protocol::End{chunks_, parts_.sequence + 1});
  return Send(FrameKind::kEnd, writer.Size());
}

bool ChildStream::Send(FrameKind kind, size_t payload_size) {
  protocol::FrameHeader header;
  header.kind = kind;
  header.payload_size = static_cast<uint32_t>(payload_size);
  header.sequence = parts_.sequence++;
  const uint32_t of_header = stream::Crc32c(0, &header, sizeof header);
  header.checksum = stream::Crc32c(of_header, Payload(), payload_size);
  __builtin_memcpy(parts_.frame, &header, sizeof header);
  const child::Sent sent = child::Send(parts_.socket, parts_.frame, sizeof header + payload_size, parts_.deadline_ms);
  if (sent == child::Sent::kAll) return true;
  return Fail(sent == child::Sent::kGone ? ChildFate::kClientGone : ChildFate::kClientSilent);
}

}  // namespace cairn::collector
