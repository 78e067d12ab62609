#pragma once
// Reads little-endian values from bytes; past the end everything is 0 and `Ok` false for ever. Pure.

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::collector::il {

class ByteSource {
 public:
  explicit ByteSource(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool Ok() const { return ok_; }
  size_t Position() const { return position_; }
  size_t Left() const { return bytes_.size() - position_; }
  bool AtEnd() const { return position_ == bytes_.size(); }

  uint64_t Read(uint32_t size) {
    if (size > Left()) {
      ok_ = false;
      position_ = bytes_.size();
      return 0;
    }
    uint64_t value = 0;
    for (uint32_t i = 0; i < size; ++i) value |= uint64_t{bytes_[position_ + i]} << (8 * i);
    position_ += size;
    return value;
  }
  uint8_t U8() { return static_cast<uint8_t>(Read(1)); }
  uint16_t U16() { return static_cast<uint16_t>(Read(2)); }
  uint32_t U32() { return static_cast<uint32_t>(Read(4)); }
  void Skip(size_t size) {
    ok_ = ok_ && size <= Left();
    position_ = ok_ ? position_ + size : bytes_.size();
  }

  // A compressed unsigned number of metadata (ECMA-335, II.23.2): one, two or four bytes, the high ones first.
  uint32_t Compressed() {
    const uint32_t first = U8();
    if (first < 0x80) return first;
    if (first < 0xC0) return (first & 0x3F) << 8 | U8();
    const uint32_t second = U8(), third = U8(), fourth = U8();
    ok_ = ok_ && first < 0xE0;
    return (first & 0x1F) << 24 | second << 16 | third << 8 | fourth;
  }

 private:
  std::span<const uint8_t> bytes_;
  size_t position_ = 0;
  bool ok_ = true;
};

}  // namespace cairn::collector::il
