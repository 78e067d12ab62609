#pragma once
// Walks one range object by object and encodes each of them.
// Call-site rule: inside the pause; no allocation, no lock.

#include <cstdint>

#include "collector/walk/object_reader.h"
#include "collector/walk/spool_writer.h"

namespace cairn::collector {

template <unsigned kPointerSize>
class RangeWalk {
 public:
  RangeWalk(const LayoutPolicy& layout, TypeTable& types, SpoolWriter& spool, HeapRange& range)
      : spool_(spool), encoder_(spool.Encoder()), range_(range), reader_(layout, types, range) {}

  // kNone: the range ended exactly. Otherwise the walk of this range stopped, and `problem` says where.
  WalkFault Run(WalkProblem& problem);

 private:
  bool Encode(const ObjectView& view);
  void EncodeFixed(const ObjectView& view);
  bool EncodeArray(const ObjectView& view);
  void EncodeReferences(uint64_t object, uint64_t first, uint32_t count, uint64_t& last);
  void EncodeComponents(const ObjectView& view, uint64_t first_slot, uint32_t count, uint64_t* cells);

  SpoolWriter& spool_;
  stream::ChunkEncoder& encoder_;
  HeapRange& range_;
  ObjectReader<kPointerSize> reader_;
};

extern template class RangeWalk<4>;
extern template class RangeWalk<8>;

}  // namespace cairn::collector
