#pragma once
// Reads a MethodTable and the GCDesc before it, trusting neither.
//
//   … | series or value items | first offset | count | MethodTable: flags u32, base size u32, …
//                                                     ^ the address that objects hold
//
// Words of the GCDesc are pointer-sized and grow downwards. Normal (count n > 0): n pairs {size, offset};
// size is stored minus the base size, so that it scales with arrays. Repeating (n < 0, arrays of structs):
// one offset, then -n items {pointers, skip} of half a word each, applied over and over.
// Call-site rule: inside the pause; no allocation, no lock.

#include <cstdint>

#include "collector/walk/layout.h"
#include "collector/walk/walk_report.h"

namespace cairn::collector {

inline constexpr uint32_t kFlagHasComponentSize = 0x80000000;
inline constexpr uint32_t kFlagContainsPointers = 0x01000000;
inline constexpr uint32_t kComponentSizeMask = 0x0000FFFF;
inline constexpr uint32_t kCategoryMask = 0x000C0000;
inline constexpr uint32_t kCategoryArray = 0x00080000;
// The whole first word of the Free pseudo type: byte-sized components and nothing else.
inline constexpr uint32_t kFreeFlags = 0x80000001;

// The two words that every object of the type shares.
struct MethodTableHead {
  uint32_t flags = 0;
  uint32_t base_size = 0;

  bool HasComponents() const { return (flags & kFlagHasComponentSize) != 0; }
  uint32_t ComponentSize() const { return HasComponents() ? flags & kComponentSizeMask : 0; }
  bool ContainsPointers() const { return (flags & kFlagContainsPointers) != 0; }
  bool IsArray() const { return HasComponents() && (flags & kCategoryMask) == kCategoryArray; }
  // Header word, MethodTable, length, the final zero; no array is so small.
  bool IsString(const LayoutPolicy& layout) const {
    return ComponentSize() == 2 && !IsArray() && base_size == 2 * layout.pointer_size + 4 + 2;
  }
  bool IsFree(const LayoutPolicy& layout, uint64_t method_table) const {
    if (layout.free_method_table != 0) return method_table == layout.free_method_table;
    return flags == kFreeFlags && base_size == 3 * layout.pointer_size;
  }
};

// Checks alignment, readability and size. Never touches memory that it has not asked for.
WalkFault ReadHead(const LayoutPolicy& layout, uint64_t method_table, MethodTableHead& head);

// Where the reference slots lie, as offsets written to a caller's buffer.
struct SlotList {
  uint32_t* slots = nullptr;  // from the object's start, or within a component where there are components
  uint32_t capacity = 0;
  uint32_t count = 0;
};

// kNone, kImplausibleGcDesc, or kTooManyTypes when `list` has no room.
WalkFault ReadSlots(const LayoutPolicy& layout, uint64_t method_table, const MethodTableHead& head, SlotList& list);

// From the object's start to its first component: the base size counts the header word, which lies before it, and of
// strings the final zero.
inline uint32_t ElementsOffset(const LayoutPolicy& layout, const MethodTableHead& head) {
  return head.IsString(layout) ? layout.pointer_size + 4 : head.base_size - layout.pointer_size;
}

}  // namespace cairn::collector
