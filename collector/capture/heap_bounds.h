#pragma once
// The ranges of the heap, read in the pause into mappings made before it.
// Call-site rule: Prepare outside the pause; Read inside GarbageCollectionFinished. Read allocates nothing
// but, should the heap have grown by more ranges than were prepared for, one larger mapping.

#include <cstdint>
#include <span>

#include "collector/abi/profiler_info.h"
#include "collector/capture/mapped_array.h"
#include "collector/walk/heap_walker.h"
#include "collector/walk/layout.h"

namespace cairn::collector {

class HeapBounds {
 public:
  // Room for twice as many ranges as there are now. `non_gc` may be null (before .NET 8).
  bool Prepare(abi::ICorProfilerInfo2* info, abi::ICorProfilerInfo14* non_gc);
  // In address order, without empty ranges. False: the runtime refused, or there was no memory.
  bool Read(const LayoutPolicy& layout);
  std::span<HeapRange> Ranges() const { return sorted_.First(count_); }
  // Used bytes of all ranges.
  uint64_t Bytes() const;

 private:
  bool Reserve(size_t gc_ranges, size_t frozen_ranges);
  bool ReadGcRanges(const LayoutPolicy& layout);
  bool ReadFrozenRanges(const LayoutPolicy& layout);
  void Add(uint64_t start, uint64_t length, uint64_t reserved, stream::Generation generation,
           const LayoutPolicy& layout);

  abi::ICorProfilerInfo2* info_ = nullptr;
  abi::ICorProfilerInfo14* non_gc_ = nullptr;
  MappedArray<abi::GcGenerationRange> gc_;
  MappedArray<abi::NonGcHeapRange> frozen_;
  MappedArray<HeapRange> sorted_;
  size_t count_ = 0;
};

}  // namespace cairn::collector
