#pragma once
// Chunks as a client gets them → the objects of a heap, in address order, so that ways of walking are compared.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "collector/capture/type_ranking.h"
#include "tests/collector/capture/sent_frame.h"
#include "tests/collector/walk/heap_builder.h"
#include "tests/collector/walk/walked_heap.h"

namespace cairn::collector {

// `types` and `ranking` as the walk gave them.
std::vector<WalkedObject> ObjectsOf(const std::vector<SentFrame>& frames, std::span<const WalkedType> types,
                                    const TypeRanking& ranking, std::span<const HeapRange> ranges);

// A few ranges of very different size: nodes, arrays that fill several chunks, strings, free space.
class MixedHeap {
 public:
  MixedHeap();
  std::vector<HeapRange> ranges;
  uint64_t objects = 0;

 private:
  HeapBuilder builder_;
};

}  // namespace cairn::collector
