#include "collector/capture/heap_bounds.h"

#include <algorithm>

namespace cairn::collector {

namespace {

using abi::GcGeneration;
using abi::GcGenerationRange;
using abi::NonGcHeapRange;
using abi::Succeeded;
using stream::Generation;

constexpr size_t kFewestRanges = 4096;

// kNone is how .NET 5 to 7 might call a read-only segment; it is walked like the NonGC heap.
Generation GenerationOf(GcGeneration generation) {
  switch (generation) {
    case GcGeneration::kGen0:
      return Generation::kGen0;
    case GcGeneration::kGen1:
      return Generation::kGen1;
    case GcGeneration::kGen2:
      return Generation::kGen2;
    case GcGeneration::kLargeObjectHeap:
      return Generation::kLoh;
    case GcGeneration::kPinnedObjectHeap:
      return Generation::kPoh;
    case GcGeneration::kNone:
      break;
  }
  return Generation::kFrozen;
}

}  // namespace

bool HeapBounds::Prepare(abi::ICorProfilerInfo2* info, abi::ICorProfilerInfo14* non_gc) {
  info_ = info;
  non_gc_ = non_gc;
  // Both may fail before the first collection under a profiler: then there is nothing to count yet.
  uint32_t gc_ranges = 0, frozen_ranges = 0;
  info_->GetGenerationBounds(0, &gc_ranges, nullptr);
  if (non_gc_ != nullptr) non_gc_->GetNonGCHeapBounds(0, &frozen_ranges, nullptr);
  return Reserve(std::max<size_t>(kFewestRanges, size_t{gc_ranges} * 2),
                 std::max<size_t>(kFewestRanges, size_t{frozen_ranges} * 2));
}

bool HeapBounds::Reserve(size_t gc_ranges, size_t frozen_ranges) {
  return gc_.Map(gc_ranges) && frozen_.Map(frozen_ranges) && sorted_.Map(gc_ranges + frozen_ranges);
}

bool HeapBounds::Read(const LayoutPolicy& layout) {
  uint32_t gc_ranges = 0, frozen_ranges = 0;
  if (!Succeeded(info_->GetGenerationBounds(0, &gc_ranges, nullptr))) return false;
  if (non_gc_ != nullptr) non_gc_->GetNonGCHeapBounds(0, &frozen_ranges, nullptr);
  const bool enough = gc_ranges <= gc_.Capacity() && frozen_ranges <= frozen_.Capacity();
  if (!enough && !Reserve(size_t{gc_ranges} + kFewestRanges, size_t{frozen_ranges} + kFewestRanges)) return false;
  count_ = 0;
  if (!ReadGcRanges(layout) || !ReadFrozenRanges(layout)) return false;
  std::ranges::sort(Ranges(), {}, &HeapRange::start);
  return true;
}

bool HeapBounds::ReadGcRanges(const LayoutPolicy& layout) {
  uint32_t count = 0;
  if (!Succeeded(info_->GetGenerationBounds(static_cast<uint32_t>(gc_.Capacity()), &count, gc_.Data()))) return false;
  if (count > gc_.Capacity()) return false;
  for (const GcGenerationRange& range : gc_.First(count)) {
    Add(range.start, range.length, range.reserved, GenerationOf(range.generation), layout);
  }
  return true;
}

bool HeapBounds::ReadFrozenRanges(const LayoutPolicy& layout) {
  if (non_gc_ == nullptr) return true;
  uint32_t count = 0;
  const auto capacity = static_cast<uint32_t>(frozen_.Capacity());
  if (!Succeeded(non_gc_->GetNonGCHeapBounds(capacity, &count, frozen_.Data())) || count > capacity) return false;
  for (const NonGcHeapRange& range : frozen_.First(count)) {
    Add(range.start, range.length, range.reserved, Generation::kFrozen, layout);
  }
  return true;
}

void HeapBounds::Add(uint64_t start, uint64_t length, uint64_t reserved, Generation generation,
                     const LayoutPolicy& layout) {
  if (length == 0) return;
  HeapRange range;
  range.start = start;
  range.length = length;
  range.reserved = reserved;
  range.generation = generation;
  range.alignment = layout.Alignment(generation);
  sorted_[count_++] = range;
}

uint64_t HeapBounds::Bytes() const {
  uint64_t bytes = 0;
  for (const HeapRange& range : Ranges()) bytes += range.length;
  return bytes;
}

}  // namespace cairn::collector
