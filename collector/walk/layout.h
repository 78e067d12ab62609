#pragma once
// How objects lie in memory, as an explicit policy: the walker has no other knowledge of a platform.
// Plain data, freestanding.

#include <cstdint>

#include "snapshot-format/stream/kinds.h"

namespace cairn::collector {

struct ContentPlan;

// MethodTable flag words and offsets that a linear walk needs. Facts: flags at 0, base size at 4 of the
// MethodTable, the same in .NET 3.1 to 10; only the collectible flag moved.
struct LayoutPolicy {
  unsigned pointer_size = 8;
  unsigned address_shift = 3;  // log2 of the smallest object alignment
  uint64_t method_table_mask = ~uint64_t{7};
  uint32_t small_heap_alignment = 8;       // generations 0 to 2, frozen heaps
  uint32_t large_heap_alignment = 8;       // large and pinned heaps
  uint32_t collectible_flag = 0x00200000;  // .NET 9 and later
  const ContentPlan* contents = nullptr;   // what to keep of objects; null: nothing
  uint64_t free_method_table = 0;          // 0: recognised by its shape (base size, flags) when first met

  uint32_t Alignment(stream::Generation generation) const {
    const bool is_large = generation == stream::Generation::kLoh || generation == stream::Generation::kPoh;
    return is_large ? large_heap_alignment : small_heap_alignment;
  }
};

// `runtime_major`: 3, 5 … 10.
inline LayoutPolicy X64Layout(unsigned runtime_major) {
  LayoutPolicy policy;
  policy.collectible_flag = runtime_major >= 9 ? 0x00200000 : 0x10000000;
  return policy;
}
inline LayoutPolicy X86Layout(unsigned runtime_major) {
  LayoutPolicy policy = X64Layout(runtime_major);
  policy.pointer_size = 4;
  policy.address_shift = 2;
  policy.method_table_mask = ~uint64_t{3};
  policy.small_heap_alignment = 4;
  policy.large_heap_alignment = 8;
  return policy;
}

// Of the process we are in.
inline LayoutPolicy NativeLayout(unsigned runtime_major) {
  return sizeof(void*) == 8 ? X64Layout(runtime_major) : X86Layout(runtime_major);
}

}  // namespace cairn::collector
