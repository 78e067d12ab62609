#pragma once
// Which objects of a snapshot were sampled as they were allocated. Where each sample should be now is told by the
// collections' journal; an object is taken for it only where one starts there, of the same type and size. What is not
// found, or may be another object by now, is counted and left out.
// Thread rule: one thread. Memory: by the number of samples, not by the heap.

#include <cstdint>
#include <vector>

#include "snapshot-format/file/model.h"
#include "snapshot-format/stream/chunk_decoder.h"

namespace cairn::client {

struct FollowedSample {
  uint64_t address = 0;   // where it is now
  uint64_t class_id = 0;  // its MethodTable
  uint64_t size = 0;
  uint32_t stack = 0;  // frame
};

class SampledObjects {
 public:
  // `doubtful`: samples that may be other objects by now.
  explicit SampledObjects(std::vector<FollowedSample> samples, uint64_t doubtful = 0);

  void Look(const stream::DecodedChunk& chunk, const std::vector<snapshot::Type>& types);
  // Those that were found, by address; how many were not.
  void MoveTo(snapshot::Sampling& sampling);

 private:
  std::vector<FollowedSample> samples_;  // by address
  std::vector<snapshot::AllocatedObject> found_;
  uint64_t doubtful_;
};

}  // namespace cairn::client
