#pragma once
// Reads one object after the other: its type, its size, where it ends. The walk and the self-check share it,
// so that what was checked is what is walked.
// Call-site rule: inside the pause; no allocation, no lock.

#include <cstdint>

#include "collector/walk/layout.h"
#include "collector/walk/raw_memory.h"
#include "collector/walk/type_table.h"

namespace cairn::collector {

struct ObjectView {
  uint64_t address = 0;
  uint64_t method_table = 0;
  HotType* type = nullptr;
  uint64_t length = 0;  // components
  uint64_t step = 0;    // to the next object: the size rounded up to the range's alignment
};

template <unsigned kPointerSize>
class ObjectReader {
 public:
  ObjectReader(const LayoutPolicy& layout, TypeTable& types, const HeapRange& range)
      : mask_(layout.method_table_mask),
        types_(types),
        end_(range.start + range.length),
        padding_(range.alignment - 1) {}

  // Reads the object at `at`, which lies before the end of the range. On a fault `value` says what was found.
  WalkFault Read(uint64_t at, ObjectView& view, uint64_t& value) {
    if (end_ - at < kSmallestObject) [[unlikely]] {
      value = end_ - at;
      return WalkFault::kOverrun;
    }
    view.address = at;
    view.method_table = LoadPointer<kPointerSize>(at) & mask_;
    view.type = types_.Find(view.method_table);
    if (view.type == nullptr) [[unlikely]] {
      WalkFault fault;
      view.type = types_.Add(view.method_table, at, fault);
      value = view.method_table;
      if (view.type == nullptr) return fault;
    }
    // The size comes from the MethodTable, known to be good by now, and not from the type that was found:
    // the next object's address must not wait for the look-up.
    const auto head = Load<uint64_t>(view.method_table);
    uint64_t size = head >> 32;
    if ((head & kFlagHasComponentSize) != 0) {
      view.length = Load<uint32_t>(at + kPointerSize);
      size += view.length * (head & kComponentSizeMask);
    }
    view.step = (size + padding_) & ~padding_;
    if (view.step > end_ - at) [[unlikely]] {
      value = size;
      return WalkFault::kOverrun;
    }
    return WalkFault::kNone;
  }

 private:
  static constexpr uint64_t kSmallestObject = 3 * kPointerSize;

  uint64_t mask_;
  TypeTable& types_;
  uint64_t end_;
  uint64_t padding_;
};

}  // namespace cairn::collector
