#pragma once
// LEB128 variable-length integers, the atom of every column.
// Freestanding: used inside the paused target, so nothing here allocates, locks or throws.

#include <cstddef>
#include <cstdint>

namespace cairn::stream {

// Longest encoding of a 64-bit value, in bytes.
inline constexpr size_t kMaxVarintBytes = 10;

// Writes `value` at `out`, which must have room for kMaxVarintBytes. Returns the first free byte.
inline uint8_t* PutVarint(uint8_t* out, uint64_t value) {
  while (value >= 0x80) {
    *out++ = static_cast<uint8_t>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<uint8_t>(value);
  return out;
}

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

// The same bytes, without a loop. Most values of a walk have one byte, and which do not is much the same from one
// object of a type to the next. May write 8 bytes whatever the length, so `out` needs room for kMaxVarintBytes all
// the same.
[[gnu::always_inline]] inline uint8_t* PutVarintFast(uint8_t* out, uint64_t value) {
  if (value < 0x80) {
    *out = static_cast<uint8_t>(value);
    return out + 1;
  }
  if (value < uint64_t{1} << 14) {
    const auto low = static_cast<uint32_t>(value);
    const auto bits = static_cast<uint16_t>(low + (low & 0x3F80) + 0x80);
    __builtin_memcpy(out, &bits, sizeof bits);
    return out + 2;
  }
  if (value < uint64_t{1} << 28) {
    const auto low = static_cast<uint32_t>(value);
    const uint32_t four = low >= uint32_t{1} << 21;
    const uint32_t halves = (low & 0x3FFF) | (low & 0x0FFFC000) << 2;
    const uint32_t bits = halves + (halves & 0x3F803F80) + 0x8080 + (four << 23);
    __builtin_memcpy(out, &bits, sizeof bits);
    return out + 3 + four;
  }
  if (value >= uint64_t{1} << 56) return PutVarint(out, value);
  // Spread 56 bits to 8 groups of 7: first halves of 28 bits, then of 14, then of 7.
  uint64_t groups = (value & 0x000000000FFFFFFF) | (value & 0x00FFFFFFF0000000) << 4;
  groups = (groups & 0x00003FFF00003FFF) | (groups & 0x0FFFC0000FFFC000) << 2;
  groups = (groups & 0x007F007F007F007F) | (groups & 0x3F803F803F803F80) << 1;
  const unsigned bits = 64u - static_cast<unsigned>(__builtin_clzll(value));
  const unsigned bytes = (bits + 6) * 37 >> 8;  // bits / 7, rounded up, for 1 to 56
  groups |= 0x0080808080808080 & ((uint64_t{1} << (bytes * 8 - 8)) - 1);
  __builtin_memcpy(out, &groups, sizeof groups);
  return out + bytes;
}

// A varint below 2^28, made once and written often.
struct ShortVarint {
  uint32_t bits = 0;
  uint32_t bytes = 1;
};
inline ShortVarint MakeShortVarint(uint32_t value) {
  uint8_t out[kMaxVarintBytes] = {};
  ShortVarint result;
  result.bytes = static_cast<uint32_t>(PutVarint(out, value) - out);
  __builtin_memcpy(&result.bits, out, sizeof result.bits);
  return result;
}
// Writes 4 bytes whatever the length.
inline uint8_t* PutVarint(uint8_t* out, ShortVarint value) {
  __builtin_memcpy(out, &value.bits, sizeof value.bits);
  return out + value.bytes;
}

// Reads one value from [p, end). Returns the byte after it, or nullptr when the bytes end too early
// or encode more than 64 bits: the input may be hostile.
inline const uint8_t* GetVarint(const uint8_t* p, const uint8_t* end, uint64_t* value) {
  uint64_t result = 0;
  for (unsigned shift = 0; p < end && shift < 64; shift += 7) {
    const uint64_t byte = *p++;
    if (shift == 63 && byte > 1) return nullptr;
    result |= (byte & 0x7F) << shift;
    if (byte < 0x80) {
      *value = result;
      return p;
    }
  }
  return nullptr;
}

// Maps small magnitudes of either sign to small unsigned values: 0, -1, 1, -2 → 0, 1, 2, 3.
inline uint64_t ZigZag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}
inline int64_t UnZigZag(uint64_t value) { return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1); }

}  // namespace cairn::stream
