#pragma once
// Bytes of a column → one zstd frame. Outside the pause. Thread rule: one thread per compressor.

#include <cstddef>
#include <cstdint>
#include <vector>

struct ZSTD_CCtx_s;

namespace cairn::collector {

class ColumnCompressor {
 public:
  static constexpr int kLevel = 1;

  ColumnCompressor();
  ~ColumnCompressor();
  ColumnCompressor(const ColumnCompressor&) = delete;
  ColumnCompressor& operator=(const ColumnCompressor&) = delete;

  // False: no memory.
  bool Compress(const uint8_t* data, size_t size, std::vector<uint8_t>& out);

 private:
  ZSTD_CCtx_s* context_;
};

}  // namespace cairn::collector
