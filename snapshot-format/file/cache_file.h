#pragma once
// One file of the side cache as bytes; see CACHE.md, "Layout". Private to snapshot-format/file.

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "snapshot-format/file/side_cache.h"

namespace cairn::snapshot {

inline constexpr size_t kCacheHeaderBytes = 4096;  // also what arrays are aligned to
inline constexpr size_t kMaxCacheArrays = 64;

struct CacheArray {
  uint64_t offset = 0, bytes = 0;
  std::array<uint8_t, 16> digest{};
};

struct CacheHeader {
  uint32_t algorithm = 0;
  std::array<uint8_t, 16> snapshot{};
  uint64_t file_bytes = 0;
  std::vector<CacheArray> arrays;
};

// Where everything will be; digests are not known yet.
CacheHeader PlanCacheFile(const std::array<uint8_t, 16>& snapshot, uint32_t algorithm, std::span<const Bytes> arrays);
// Empty, or what is wrong. Afterwards every array lies within the file.
std::string ReadCacheHeader(Bytes page, uint64_t file_bytes, CacheHeader& out);
// Into the file at `path`, which is there and empty. Fills in the digests.
Status WriteCacheFile(const std::string& path, CacheHeader& header, std::span<const Bytes> arrays,
                      const std::atomic<bool>& stop);

std::string HexText(const std::array<uint8_t, 16>& digest);

}  // namespace cairn::snapshot
