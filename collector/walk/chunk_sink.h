#pragma once
// Where finished chunks go instead of the spool: a forked child sends them at once.
// Call-site rule: inside the pause or the child; no allocation, no lock.

#include "snapshot-format/stream/chunk_encoder.h"

namespace cairn::collector {

class ChunkSink {
 public:
  // The ended chunk is in `encoder` until the call returns. False: it could not be taken, and the walk stops.
  virtual bool Take(const stream::ChunkEncoder& encoder) = 0;

 protected:
  ~ChunkSink() = default;
};

}  // namespace cairn::collector
