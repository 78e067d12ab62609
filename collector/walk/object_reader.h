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

// Where the first words of a MethodTable are read.
enum class Heads {
  kInMemory,
  // As they were when the type was added. Where a first pass has found all types, a forked child may be walking behind
  // the application: the runtime shares the pages of collectible MethodTables with its children (they lie in a file
  // mapped twice, once to be executed), and puts others there, or zeros.
  kLearnt,
};

template <unsigned kPointerSize, Heads kHeads = Heads::kInMemory>
class ObjectReader {
 public:
  ObjectReader(const LayoutPolicy& layout, TypeTable& types, const HeapRange& range)
      : mask_(layout.method_table_mask),
        types_(types),
        end_(range.start + range.length),
        room_(range.length < kSmallestObject ? 0 : end_ - kSmallestObject + 1),
        padding_(range.alignment - 1) {}

  // Whether there is room for an object at `at`.
  bool HasRoom(uint64_t at) const { return at < room_; }
  // What it means that there is none.
  WalkFault Leave(uint64_t at, uint64_t& value) const {
    value = end_ - at;
    return value == 0 ? WalkFault::kNone : WalkFault::kOverrun;
  }

  // The first address at which there is none.
  uint64_t Room() const { return room_; }

  // Reads the object at `at`, which has room there. On a fault `value` says what was found. `fetched` is called with a
  // type that was not at hand, see TypeTable::FindOrAdd.
  template <class Fetched>
  [[gnu::always_inline]] WalkFault Read(uint64_t at, ObjectView& view, uint64_t& value, Fetched fetched) {
    view.address = at;
    view.method_table = LoadPointer<kPointerSize>(at) & mask_;
    WalkFault fault = WalkFault::kNone;
    view.type = types_.FindOrAdd(view.method_table, at, fault, fetched);
    if (fault != WalkFault::kNone) [[unlikely]] {
      value = view.method_table;
      return fault;
    }
    // The size comes from the MethodTable, known to be good by now, and not from the type that was found:
    // the next object's address must not wait for the look-up.
    const uint64_t head = kHeads == Heads::kLearnt ? types_.HeadOf(*view.type) : Load<uint64_t>(view.method_table);
    uint64_t size = head >> 32;
    view.length = 0;
    if ((head & kFlagHasComponentSize) != 0) {
      view.length = Load<uint32_t>(at + kPointerSize);
      size += view.length * (head & kComponentSizeMask);
    }
    view.step = Padded(size);
    // Beyond the end, or none at all. None is so large that the sum overflows.
    if (view.step == 0 || at + view.step > end_) [[unlikely]] {
      value = size;
      return WalkFault::kOverrun;
    }
    return WalkFault::kNone;
  }
  [[gnu::always_inline]] WalkFault Read(uint64_t at, ObjectView& view, uint64_t& value) {
    return Read(at, view, value, [](HotType&) {});
  }

 private:
  static constexpr uint64_t kSmallestObject = 3 * kPointerSize;

  // On 64 bit all heaps align alike.
  uint64_t Padded(uint64_t size) const {
    if constexpr (kPointerSize == 8) return (size + 7) & ~uint64_t{7};
    return (size + padding_) & ~padding_;
  }

  uint64_t mask_;
  TypeTable& types_;
  uint64_t end_;
  uint64_t room_;  // from here on there is none for an object
  uint64_t padding_;
};

}  // namespace cairn::collector
