#pragma once
// UTF-16 of a managed string → UTF-8 in a buffer of fixed size. Freestanding.

#include <cstdint>

namespace cairn::collector {

// `at` has `units` UTF-16 units, of which 3 bytes each fit into `out`. A lone surrogate becomes U+FFFD; a pair that is
// cut by the end counts as one. Returns the bytes written.
inline uint32_t PutUtf8(const uint8_t* at, uint32_t units, uint8_t* out) {
  const auto unit = [at](uint32_t i) { return static_cast<uint32_t>(at[2 * i] | at[2 * i + 1] << 8); };
  uint8_t* const begin = out;
  for (uint32_t i = 0; i < units; ++i) {
    uint32_t code = unit(i);
    const bool high = code >> 10 == 0xD800 >> 10, low = code >> 10 == 0xDC00 >> 10;
    if (high && i + 1 < units && unit(i + 1) >> 10 == 0xDC00 >> 10) {
      code = 0x10000 + ((code & 0x3FF) << 10 | (unit(++i) & 0x3FF));
    } else if (high || low) {
      code = 0xFFFD;
    }
    if (code < 0x80) {
      *out++ = static_cast<uint8_t>(code);
      continue;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *out++ = static_cast<uint8_t>((0xFF00 >> (more + 1)) | code >> 6 * more);
    for (int rest = more - 1; rest >= 0; --rest) *out++ = static_cast<uint8_t>(0x80 | (code >> 6 * rest & 0x3F));
  }
  return static_cast<uint32_t>(out - begin);
}

}  // namespace cairn::collector
