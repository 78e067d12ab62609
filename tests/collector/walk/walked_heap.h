#pragma once
// Walks a laid heap and decodes the spool back into objects, so that tests compare plain values.

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "collector/walk/heap_walker.h"
#include "snapshot-format/stream/chunk_decoder.h"

namespace cairn::collector {

struct WalkedObject {
  uint32_t range = 0;
  uint64_t address = 0;
  uint64_t method_table = 0;
  uint64_t size = 0;              // padding included
  uint64_t length = 0;            // components; with explicit slots: bytes
  std::vector<uint64_t> targets;  // per slot, nulls included

  bool operator==(const WalkedObject&) const = default;
};
std::ostream& operator<<(std::ostream& out, const WalkedObject& object);

class WalkedHeap {
 public:
  explicit WalkedHeap(const LayoutPolicy& layout, uint64_t spool_bytes = uint64_t{64} << 20);

  HeapWalker& Walker() { return *walker_; }
  WalkMemory& Memory() { return memory_; }
  const WalkReport& Walk(std::vector<HeapRange>& ranges, uint32_t first_range = 0);
  const WalkReport& WalkThroughApi(std::vector<HeapRange>& ranges, ObjectInspector& inspector);
  const WalkReport& Report() const { return report_; }

  // All objects of the spool, an array over several chunks in one piece. Fails the test when a chunk does
  // not decode or ranges and sequences are out of order.
  std::vector<WalkedObject> Objects(const std::vector<HeapRange>& ranges, uint32_t first_range = 0);
  const WalkedType* TypeOf(uint64_t method_table);

 private:
  LayoutPolicy layout_;
  WalkMemory memory_;
  std::unique_ptr<HeapWalker> walker_;
  WalkReport report_;
};

}  // namespace cairn::collector
