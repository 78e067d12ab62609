#include "collector/capture/column_compressor.h"

#include <zstd.h>

namespace cairn::collector {

ColumnCompressor::ColumnCompressor() : context_(ZSTD_createCCtx()) {}

ColumnCompressor::~ColumnCompressor() { ZSTD_freeCCtx(context_); }

bool ColumnCompressor::Compress(const uint8_t* data, size_t size, std::vector<uint8_t>& out) {
  if (context_ == nullptr) return false;
  out.resize(ZSTD_compressBound(size));
  const size_t written = ZSTD_compressCCtx(context_, out.data(), out.size(), data, size, kLevel);
  if (ZSTD_isError(written)) return false;
  out.resize(written);
  return true;
}

}  // namespace cairn::collector
