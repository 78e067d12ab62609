// There is no zstd to link here: frames that hold the bytes as they are (RFC 8878: single segment, raw blocks), which
// every reader takes.

#include <algorithm>

#include "collector/capture/column_compressor.h"

namespace cairn::collector {

namespace {

constexpr uint32_t kMagic = 0xFD2FB528;
constexpr uint8_t kSingleSegmentSizeOf32Bits = 0xA0;
constexpr uint32_t kMostInBlock = 128u << 10;
constexpr uint32_t kLastBlock = 1, kSizeShift = 3;  // bits 1 and 2: 0, a raw block

void Put(std::vector<uint8_t>& out, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

}  // namespace

ColumnCompressor::ColumnCompressor() : context_(nullptr) {}

ColumnCompressor::~ColumnCompressor() = default;

bool ColumnCompressor::Compress(const uint8_t* data, size_t size, std::vector<uint8_t>& out) {
  if (size > UINT32_MAX) return false;
  out.clear();
  out.reserve(size + 16);
  Put(out, kMagic, 4);
  out.push_back(kSingleSegmentSizeOf32Bits);
  Put(out, static_cast<uint32_t>(size), 4);
  size_t at = 0;
  do {
    const auto taken = static_cast<uint32_t>(std::min<size_t>(size - at, kMostInBlock));
    Put(out, taken << kSizeShift | (at + taken == size ? kLastBlock : 0), 3);
    out.insert(out.end(), data + at, data + at + taken);
    at += taken;
  } while (at < size);
  return true;
}

}  // namespace cairn::collector
