#pragma once
// Encodes chunks in the staging buffers of a WalkMemory and appends each finished one to its spool, or gives it
// to a ChunkSink.
//
// A block of the spool: ChunkHeader, column sizes, the columns, padding to kBlockAlignment.
// Call-site rule: inside the pause; no allocation, no lock.

#include "collector/walk/chunk_sink.h"
#include "collector/walk/walk_memory.h"
#include "snapshot-format/stream/chunk_encoder.h"

namespace cairn::collector {

class SpoolWriter {
 public:
  static constexpr uint64_t kBlockAlignment = 8;
  static constexpr uint64_t kPrefixBytes =
      stream::AlignUp(sizeof(stream::ChunkHeader) + stream::kColumnCount * sizeof(uint32_t), kBlockAlignment);
  static_assert(kPrefixBytes % kBlockAlignment == 0);
  static constexpr uint64_t kStagingBytes = stream::ChunkEncoder::TotalCapacity();

  // Faults in what columns of a common chunk take of the buffers, which end at `end`; a column that grows longer
  // faults pages in one by one, once. False: the system would not give the memory.
  static bool PopulateStaging(uint8_t* end);

  // `sink`, if any, outlives the writer.
  SpoolWriter(WalkMemory& memory, unsigned address_shift, ChunkSink* sink = nullptr);

  stream::ChunkEncoder& Encoder() { return encoder_; }

  void BeginRange(uint32_t range) {
    range_ = range;
    sequence_ = 0;
    encoder_.Begin(range, sequence_);
  }
  // Closes the chunk and begins the next of the same range. An empty chunk is not written. False: no room.
  bool Flush();

  uint64_t Chunks() const { return chunks_; }
  // What the chunk that found no room would have needed.
  uint64_t BytesMissing() const { return missing_; }

 private:
  bool Append();
  bool Reach(uint64_t bytes);

  WalkMemory& memory_;
  ChunkSink* sink_;
  stream::ChunkEncoder encoder_;
  uint32_t range_ = 0;
  uint32_t sequence_ = 0;
  uint64_t chunks_ = 0;
  uint64_t missing_ = 0;
};

}  // namespace cairn::collector
