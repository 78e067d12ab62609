#include "collector/walk/method_table.h"

#include "collector/walk/pages.h"
#include "collector/walk/raw_memory.h"
#include "snapshot-format/stream/chunk.h"

namespace cairn::collector {
namespace {

// Nobody's class is larger, and an array's base is a few words plus 8 bytes per dimension.
constexpr uint32_t kMaxFixedBaseSize = uint32_t{1} << 28;
constexpr uint32_t kMaxComponentBaseSize = 1024;

bool PlausibleSize(const LayoutPolicy& layout, const MethodTableHead& head) {
  const uint32_t word = layout.pointer_size;
  if (head.HasComponents()) {
    // The smallest: a string (header, method table, length, final 0), or an array on 32 bit.
    const uint32_t string = 2 * word + 4 + 2;
    return head.base_size >= (string < 3 * word ? string : 3 * word) && head.base_size <= kMaxComponentBaseSize;
  }
  return head.base_size >= 3 * word && head.base_size <= kMaxFixedBaseSize;
}

// The GCDesc of one type, read word by word from the MethodTable downwards.
class GcDesc {
 public:
  GcDesc(const LayoutPolicy& layout, uint64_t method_table, const MethodTableHead& head, SlotList& list)
      : word_(layout.pointer_size), method_table_(method_table), head_(head), list_(list) {
    elements_ = ElementsOffset(layout, head);
  }

  WalkFault Read() {
    if (!Readable(1)) return WalkFault::kImplausibleGcDesc;
    const int64_t count = Signed(Word(1));
    if (count == 0) return WalkFault::kImplausibleGcDesc;
    if (count < 0) return head_.HasComponents() ? Repeating(-count) : WalkFault::kImplausibleGcDesc;
    return head_.HasComponents() ? WholeComponents(count) : Series(count);
  }

 private:
  // Whether the lowest `words` words below the MethodTable can be read.
  bool Readable(uint64_t words) const {
    const uint64_t bytes = words * word_;
    return bytes < method_table_ && pages::IsReadable(method_table_ - bytes, bytes);
  }
  uint64_t Word(uint64_t below) const { return LoadPointer(method_table_ - below * word_, word_); }
  int64_t Signed(uint64_t word) const {
    return word_ == 8 ? static_cast<int64_t>(word) : static_cast<int32_t>(static_cast<uint32_t>(word));
  }
  uint64_t Truncate(uint64_t value) const { return word_ == 8 ? value : value & 0xFFFFFFFF; }

  // An object of fixed size: each series is a run of slots inside it.
  WalkFault Series(int64_t count) {
    if (count > head_.base_size / word_ || !Readable(1 + 2 * static_cast<uint64_t>(count))) {
      return WalkFault::kImplausibleGcDesc;
    }
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t offset = Word(2 + 2 * static_cast<uint64_t>(i));
      const uint64_t bytes = Truncate(Word(3 + 2 * static_cast<uint64_t>(i)) + head_.base_size);
      // elements_ is where the object ends, seen from its start.
      if (offset < word_ || offset % word_ != 0 || bytes == 0 || bytes % word_ != 0)
        return WalkFault::kImplausibleGcDesc;
      if (offset > elements_ || bytes > elements_ - offset) return WalkFault::kImplausibleGcDesc;
      if (const WalkFault fault = AddRun(offset, bytes); fault != WalkFault::kNone) return fault;
    }
    return WalkFault::kNone;
  }

  // An array whose components are references through and through.
  WalkFault WholeComponents(int64_t count) {
    if (count != 1 || !Readable(3)) return WalkFault::kImplausibleGcDesc;
    const uint32_t component = head_.ComponentSize();
    const bool all = Word(2) == elements_ && Truncate(Word(3) + head_.base_size) == 0;
    if (!all || component == 0 || component % word_ != 0) return WalkFault::kImplausibleGcDesc;
    return AddRun(0, component);
  }

  // An array of structs with other fields in between. The first offset may lie inside the first component;
  // the items then wrap around its end.
  WalkFault Repeating(int64_t items) {
    const uint32_t component = head_.ComponentSize();
    if (items > component || !Readable(2) || Word(2) < elements_) return WalkFault::kImplausibleGcDesc;
    const uint64_t first = Word(2) - elements_;
    const uint64_t item_words = static_cast<uint64_t>(items);  // an item is two halves
    if (first >= component || first % word_ != 0 || !Readable(2 + item_words)) return WalkFault::kImplausibleGcDesc;
    uint64_t at = first;
    for (int64_t i = 0; i < items; ++i) {
      const uint64_t item = Word(3 + static_cast<uint64_t>(i));
      const unsigned half = word_ * 4;  // bits
      const uint64_t bytes = (item & ((uint64_t{1} << half) - 1)) * word_;
      if (bytes == 0 || at > component || bytes > component - at) return WalkFault::kImplausibleGcDesc;
      if (const WalkFault fault = AddRun(at, bytes); fault != WalkFault::kNone) return fault;
      at += bytes + (item >> half);
    }
    return at == first + component ? WalkFault::kNone : WalkFault::kImplausibleGcDesc;
  }

  WalkFault AddRun(uint64_t offset, uint64_t bytes) {
    const uint64_t slots = bytes / word_;
    if (slots > stream::kMaxFixedSlots - list_.count) return WalkFault::kImplausibleGcDesc;
    if (slots > list_.capacity - list_.count) return WalkFault::kTooManyTypes;
    for (uint64_t i = 0; i < slots; ++i) list_.slots[list_.count++] = static_cast<uint32_t>(offset + i * word_);
    return WalkFault::kNone;
  }

  unsigned word_;
  uint64_t method_table_;
  const MethodTableHead& head_;
  SlotList& list_;
  uint64_t elements_;
};

}  // namespace

WalkFault ReadHead(const LayoutPolicy& layout, uint64_t method_table, MethodTableHead& head) {
  if (method_table == 0) return WalkFault::kZeroMethodTable;
  if (method_table % layout.pointer_size != 0) return WalkFault::kImplausibleMethodTable;
  if (!pages::IsReadable(method_table, 8)) return WalkFault::kUnreadableMethodTable;
  head.flags = Load<uint32_t>(method_table);
  head.base_size = Load<uint32_t>(method_table + 4);
  return PlausibleSize(layout, head) ? WalkFault::kNone : WalkFault::kImplausibleMethodTable;
}

WalkFault ReadSlots(const LayoutPolicy& layout, uint64_t method_table, const MethodTableHead& head, SlotList& list) {
  list.count = 0;
  if (!head.ContainsPointers()) return WalkFault::kNone;
  return GcDesc(layout, method_table, head, list).Read();
}

}  // namespace cairn::collector
