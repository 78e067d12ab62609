#pragma once
// The one wrapper around zstd.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "snapshot-format/file/result.h"

namespace cairn::snapshot {

// Decompresses columns; keeps its state from column to column. Thread rule: one thread.
class Decompressor {
 public:
  Decompressor();
  ~Decompressor();
  // Fills `out`, whose size is the size that the content must have, from exactly one frame. Returns an
  // empty string or what is wrong.
  [[nodiscard]] std::string Decompress(std::span<const uint8_t> frame, std::span<uint8_t> out);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace cairn::snapshot
