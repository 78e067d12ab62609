#pragma once
// What a field of an object holds, out of the values that are kept of it.

#include <bit>
#include <span>

#include "snapshot-format/stream/hex_address.h"
#include "viewer/session/answers.h"

namespace cairn::session {

// The `bytes` bytes at `offset`, little-endian, where values of the type cover all of them.
inline std::optional<uint64_t> BytesAt(const snapshot::Type& type, std::span<const int64_t> values, uint32_t offset,
                                       uint32_t bytes) {
  uint64_t bits = 0, found = 0;
  for (size_t i = 0; i < values.size() && i < type.value_slots.size(); ++i) {
    const stream::ValueSlot slot = stream::UnpackedValueSlot(type.value_slots[i]);
    for (uint32_t byte = 0; byte < slot.bytes; ++byte) {
      const uint64_t at = uint64_t{slot.offset} + byte;
      if (at < offset || at >= uint64_t{offset} + bytes) continue;
      bits |= (static_cast<uint64_t>(values[i]) >> (8 * byte) & 0xFF) << (8 * (at - offset));
      found |= uint64_t{1} << (at - offset);
    }
  }
  return found == (uint64_t{1} << bytes) - 1 ? std::optional(bits) : std::nullopt;
}

// CorElementTypes of the fields that have a value.
namespace element {
inline constexpr uint8_t kBoolean = 2, kChar = 3, kI1 = 4, kU1 = 5, kI2 = 6, kU2 = 7, kI4 = 8, kU4 = 9, kI8 = 10;
inline constexpr uint8_t kU8 = 11, kR4 = 12, kR8 = 13, kPointer = 15, kI = 24, kU = 25, kFunction = 27;
}  // namespace element

// How many bytes a primitive takes; 0: it is none.
inline uint32_t BytesOfElement(uint8_t type, uint32_t pointer_bytes) {
  constexpr uint32_t kBytes[] = {0, 0, 1, 2, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  if (type < std::size(kBytes)) return kBytes[type];
  const bool is_word =
      type == element::kPointer || type == element::kI || type == element::kU || type == element::kFunction;
  return is_word ? pointer_bytes : 0;
}

// A pointer is hexadecimal; where it is the code of a known method, that follows. A character is its number.
inline FieldValue Interpret(const snapshot::Summary& summary, uint64_t bits, uint8_t type, uint32_t bytes) {
  const int64_t number = static_cast<int64_t>(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes);
  switch (type) {
    case element::kBoolean:
      return bits != 0;
    case element::kI1:
    case element::kI2:
    case element::kI4:
    case element::kI8:
      return number;
    case element::kR4:
      return double{std::bit_cast<float>(static_cast<uint32_t>(bits))};
    case element::kR8:
      return std::bit_cast<double>(bits);
    case element::kI:
    case element::kU:
    case element::kPointer:
    case element::kFunction: {
      const snapshot::Method* const method = snapshot::FindMethod(summary, bits);
      return stream::HexAddress(bits) + (method != nullptr ? " " + method->name : "");
    }
    default:
      return bits;
  }
}

inline FieldValue ValueOf(const snapshot::Summary& summary, const snapshot::Type& type, std::span<const int64_t> values,
                          const snapshot::Field& field) {
  if (field.kind != snapshot::FieldKind::kPrimitive) return {};
  const uint32_t bytes = BytesOfElement(field.element_type, summary.process.pointer_size);
  const auto bits = bytes == 0 ? std::nullopt : BytesAt(type, values, field.offset, bytes);
  return bits ? Interpret(summary, *bits, field.element_type, bytes) : FieldValue();
}

}  // namespace cairn::session
