#include "snapshot-format/stream/checksum.h"

#include <array>
#include <bit>
#include <cstring>

namespace cairn::stream {
namespace {

// Slicing-by-8 after Kounavis and Berry: row k holds the checksum of one byte followed by k zero bytes,
// so that eight bytes are folded with eight independent look-ups.
constexpr uint32_t kReflectedPolynomial = 0x82F63B78;
constexpr size_t kRows = 8;
using Rows = std::array<std::array<uint32_t, 256>, kRows>;

constexpr uint32_t ShiftByte(uint32_t value) {
  for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value & 1 ? kReflectedPolynomial : 0);
  return value;
}

constexpr Rows MakeRows() {
  Rows rows{};
  for (uint32_t byte = 0; byte < 256; ++byte) rows[0][byte] = ShiftByte(byte);
  for (size_t row = 1; row < kRows; ++row) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = rows[row - 1][byte];
      rows[row][byte] = (before >> 8) ^ rows[0][before & 0xFF];
    }
  }
  return rows;
}

constexpr Rows kTable = MakeRows();
static_assert(std::endian::native == std::endian::little, "words are read as little-endian");

uint32_t FoldEight(uint32_t crc, const uint8_t* p) {
  uint32_t low, high;
  std::memcpy(&low, p, 4);
  std::memcpy(&high, p + 4, 4);
  low ^= crc;
  return kTable[7][low & 0xFF] ^ kTable[6][low >> 8 & 0xFF] ^ kTable[5][low >> 16 & 0xFF] ^ kTable[4][low >> 24] ^
         kTable[3][high & 0xFF] ^ kTable[2][high >> 8 & 0xFF] ^ kTable[1][high >> 16 & 0xFF] ^ kTable[0][high >> 24];
}

}  // namespace

uint32_t Crc32c(uint32_t crc, const void* data, size_t size) {
  const auto* p = static_cast<const uint8_t*>(data);
  crc = ~crc;
  for (; size >= 8; size -= 8, p += 8) crc = FoldEight(crc, p);
  for (; size > 0; --size, ++p) crc = (crc >> 8) ^ kTable[0][(crc ^ *p) & 0xFF];
  return ~crc;
}

}  // namespace cairn::stream
