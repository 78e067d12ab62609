#pragma once
// Lays method tables and objects into memory by hand, for either pointer size. 32-bit heaps lie in the low
// 4 GiB, so that their 4-byte pointers are real addresses.
//
//   HeapBuilder heap(X64Layout(10));
//   const uint64_t node = heap.Class(24, {{8, 2}});   // base size, runs of slots {offset, count}
//   heap.BeginRange(Generation::kGen2);
//   const uint64_t a = heap.Object(node);
//   heap.Set(a, 8, a);
//   ranges = {heap.EndRange()};

#include <cstdint>
#include <vector>

#include "collector/walk/layout.h"
#include "collector/walk/walk_report.h"

namespace cairn::collector {

class HeapBuilder {
 public:
  struct Run {
    uint32_t offset;
    uint32_t slots;
  };
  struct Item {
    uint32_t pointers;
    uint32_t skip;  // bytes
  };

  explicit HeapBuilder(const LayoutPolicy& layout, size_t heap_bytes = size_t{64} << 20,
                       size_t type_bytes = size_t{32} << 20);
  ~HeapBuilder();
  HeapBuilder(const HeapBuilder&) = delete;
  HeapBuilder& operator=(const HeapBuilder&) = delete;

  // ---- types: each answers its MethodTable's address ----
  // With `words` of GCDesc before it, words[0] next to it. `flags` as they are in memory.
  uint64_t Type(uint32_t flags, uint32_t base_size, const std::vector<int64_t>& words = {});
  uint64_t Class(uint32_t base_size, const std::vector<Run>& runs = {}, uint32_t more_flags = 0);
  uint64_t PrimitiveArray(uint32_t component_size);
  uint64_t ReferenceArray(uint32_t rank = 1);
  // `first` is where the first reference lies in a component.
  uint64_t StructArray(uint32_t component_size, uint32_t first, const std::vector<Item>& items);
  uint64_t String();
  uint64_t Free();

  // ---- objects ----
  void BeginRange(stream::Generation generation);
  // Of fixed size, or with `length` components.
  uint64_t Object(uint64_t method_table, uint64_t length = 0);
  void Set(uint64_t object, uint64_t offset, uint64_t target);
  HeapRange EndRange();
  // Where the next object would lie.
  uint64_t At() const { return at_; }

  unsigned Word() const { return layout_.pointer_size; }
  // From an array's start to its first component.
  uint32_t Elements(uint32_t rank = 1) const { return 2 * Word() + (rank > 1 ? 8 * rank : 0); }
  void Poke(uint64_t address, uint64_t word);

 private:
  LayoutPolicy layout_;
  uint64_t heap_ = 0, heap_bytes_ = 0;
  uint64_t types_ = 0, type_bytes_ = 0;
  uint64_t at_ = 0;
  uint64_t types_at_ = 0;
  HeapRange range_;
};

}  // namespace cairn::collector
