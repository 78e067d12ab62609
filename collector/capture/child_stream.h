#pragma once
// Frames of the child on its own socket, built in memory that was set aside before the fork.
// Call-site rule: only in the child.

#include <cstddef>
#include <cstdint>
#include <span>

#include "collector/capture/child_calls.h"
#include "collector/protocol/messages.h"
#include "collector/walk/chunk_sink.h"
#include "snapshot-format/stream/records.h"

struct ZSTD_CCtx_s;

namespace cairn::collector {

// Records as RecordWriter writes them, into a buffer of fixed size that is known to be large enough.
class FixedWriter {
 public:
  explicit FixedWriter(uint8_t* out) : out_(out), at_(out) {}

  template <stream::Scalar T>
  void operator()(const T& value) {
    __builtin_memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  template <class T>
  requires std::is_class_v<T>
  void operator()(const T& record) { Fields(*this, const_cast<T&>(record)); }
  size_t Size() const { return static_cast<size_t>(at_ - out_); }

 private:
  uint8_t* out_;
  uint8_t* at_;
};

class ChildStream final : public ChunkSink {
 public:
  // What the compressor and one frame need.
  static size_t WorkspaceBytes();
  static size_t FrameBytes();

  struct Parts {
    int socket = -1;
    uint32_t deadline_ms = 0;
    uint64_t sequence = 0;  // frames that were sent on this socket before
    uint8_t* workspace = nullptr;
    uint8_t* frame = nullptr;
    const char* group = "";     // whose memory is watched
    uint64_t least_memory = 0;  // less than this left: stop
  };
  explicit ChildStream(const Parts& parts);

  bool Take(const stream::ChunkEncoder& encoder) override;
  bool SendWalk(const protocol::ChildWalk& walk, std::span<const uint64_t> range_edges);
  bool SendEnd();

  // Why the last call was false.
  protocol::ChildFate Fate() const { return fate_; }
  uint64_t Chunks() const { return chunks_; }

 private:
  uint8_t* Payload() const;
  bool Send(protocol::FrameKind kind, size_t payload_size);
  bool Fail(protocol::ChildFate fate);
  bool HasMemory();

  Parts parts_;
  ZSTD_CCtx_s* compressor_;
  uint64_t chunks_ = 0;
  protocol::ChildFate fate_ = protocol::ChildFate::kDone;
};

}  // namespace cairn::collector
