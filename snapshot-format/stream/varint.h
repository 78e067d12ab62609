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
inline int64_t UnZigZag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

}  // namespace cairn::stream
