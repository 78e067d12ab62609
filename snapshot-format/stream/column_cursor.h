#pragma once
// Reads the columns of a chunk value by value. The bytes may be hostile.
// Thread rule: one thread. Ownership: observes the bytes.

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "snapshot-format/stream/chunk.h"
#include "snapshot-format/stream/varint.h"

namespace cairn::stream {

// Reads varints of one column; never passes its end. Written without branches on the data where it can
// be: which object has a length and how long a token is cannot be predicted.
class ColumnCursor {
 public:
  explicit ColumnCursor(std::span<const uint8_t> bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool Next(uint64_t& value) { return NextIf(true, value); }
  // For values of one byte mostly. Reads nothing, and 0, where it is not `wanted`.
  bool NextIf(bool wanted, uint64_t& value) {
    const uint64_t byte = at_ < end_ ? *at_ : 0x80;
    if (wanted && byte >= 0x80) return NextSlowly(value);
    value = wanted ? byte : 0;
    at_ += wanted;
    return true;
  }
  // For values of any length.
  bool NextLong(uint64_t& value) {
    if (end_ - at_ < 8) return NextSlowly(value);
    uint64_t word;
    std::memcpy(&word, at_, sizeof word);
    const uint64_t last = ~word & 0x8080808080808080;  // high bits of the bytes that may end it
    if (last == 0) return NextSlowly(value);
    const int bits = std::countr_zero(last) + 1;
    at_ += bits / 8;
    value = JoinSevenBits(word & (~uint64_t{0} >> (64 - bits)));
    return true;
  }
  bool NextRaw(uint64_t& value) {
    if (end_ - at_ < 8) return false;
    std::memcpy(&value, at_, sizeof value);
    at_ += 8;
    return true;
  }
  bool AtEnd() const { return at_ == end_; }

 private:
  // Takes the high bit out of each byte: pairs, then fours, then all eight.
  static uint64_t JoinSevenBits(uint64_t word) {
    word = (word & 0x007F007F007F007F) | (word & 0x7F007F007F007F00) >> 1;
    word = (word & 0x00003FFF00003FFF) | (word & 0x3FFF00003FFF0000) >> 2;
    return (word & 0x000000000FFFFFFF) | (word & 0x0FFFFFFF00000000) >> 4;
  }
  bool NextSlowly(uint64_t& value) {
    const uint8_t* next = GetVarint(at_, end_, &value);
    if (next == nullptr) return false;
    at_ = next;
    return true;
  }

  const uint8_t* at_;
  const uint8_t* end_;
};
static_assert(std::endian::native == std::endian::little, "words are read as little-endian");

// The columns of types and lengths: what every object is, and how many slots it has.
class ShapeCursor {
 public:
  ShapeCursor(std::span<const TypeLayout> layouts, std::span<const uint8_t> types, std::span<const uint8_t> lengths)
      : layouts_(layouts), types_(types), lengths_(lengths) {}

  // The next object's. Returns nullptr, or what is wrong with it.
  const char* Next(uint64_t& type, uint64_t& length, uint64_t& slots) {
    if (!types_.Next(type)) return "the types column ends or is malformed at object";
    if (type >= layouts_.size()) return "an unknown type is named by object";
    return ReadLength(layouts_[type], length, slots);
  }
  // After the last object. Returns nullptr or what is wrong.
  const char* Finish() const {
    if (!types_.AtEnd()) return "bytes are left over in the types column";
    return lengths_.AtEnd() ? nullptr : "bytes are left over in the lengths column";
  }

 private:
  const char* ReadLength(const TypeLayout& layout, uint64_t& length, uint64_t& slots) {
    if (!lengths_.NextIf(layout.HasLength(), length)) return "the lengths column ends or is malformed at object";
    if (layout.explicit_slots)
      return lengths_.Next(slots) ? nullptr : "the lengths column lacks the slot count of object";
    // Only one of the two is not 0: a type has a length or it has fixed slots.
    uint64_t of_elements = 0;
    if (__builtin_mul_overflow(length, uint64_t{layout.element_slots}, &of_elements))
      return "the length leaves 64 bits in object";
    slots = layout.component_size != 0 ? of_elements : layout.fixed_slots;
    return nullptr;
  }

  std::span<const TypeLayout> layouts_;
  ColumnCursor types_, lengths_;
};

}  // namespace cairn::stream
