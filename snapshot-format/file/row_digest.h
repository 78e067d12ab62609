#pragma once
// Checksum over the rows of a table, the same whether they are being written or read. FORMAT.md,
// "Completeness", gives the bytes.

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "snapshot-format/stream/checksum.h"

namespace cairn::snapshot {

class RowDigest {
 public:
  void Null() { bytes_.push_back(0); }
  void Integer(int64_t value) { Word(1, static_cast<uint64_t>(value)); }
  void Real(double value) { Word(2, std::bit_cast<uint64_t>(value)); }
  void Text(std::span<const uint8_t> text) { Sized(3, text); }
  void Blob(std::span<const uint8_t> blob) { Sized(4, blob); }
  void EndRow() {
    ++rows_;
    if (bytes_.size() >= kFlushBytes) Flush();
  }

  uint64_t Rows() const { return rows_; }
  uint32_t Checksum() {
    Flush();
    return checksum_;
  }

 private:
  static constexpr size_t kFlushBytes = 4096;

  void Word(uint8_t tag, uint64_t value) {
    uint8_t bytes[9] = {tag};
    for (unsigned i = 0; i < 8; ++i) bytes[i + 1] = static_cast<uint8_t>(value >> (8 * i));
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof bytes);
  }
  void Sized(uint8_t tag, std::span<const uint8_t> data) {
    Word(tag, data.size());
    bytes_.insert(bytes_.end(), data.begin(), data.end());
  }
  void Flush() {
    checksum_ = stream::Crc32c(checksum_, bytes_.data(), bytes_.size());
    bytes_.clear();
  }

  std::vector<uint8_t> bytes_;
  uint32_t checksum_ = 0;
  uint64_t rows_ = 0;
};

}  // namespace cairn::snapshot
