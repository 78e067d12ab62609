#pragma once
// Digests of much data, by blocks that are hashed apart from each other and on several threads. XXH3: tells damage,
// not malice. Private to snapshot-format/file.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cairn::snapshot {

inline constexpr size_t kDigestBlock = size_t{4} << 20;

// The digest of a whole from those of its blocks, in order.
class BlockDigests {
 public:
  explicit BlockDigests(uint64_t bytes) : blocks_((bytes + kDigestBlock - 1) / kDigestBlock), bytes_(bytes) {}

  size_t Count() const { return blocks_.size(); }
  // Bytes of block `i`: kDigestBlock but in the last one.
  size_t SizeOf(size_t i) const;
  // Different blocks from different threads.
  void Set(size_t i, const uint8_t* data);
  // The same of a file, by the piece. False: it could not be read, or ended too early.
  bool SetFrom(int file, size_t i);
  std::array<uint8_t, 16> Whole() const;

 private:
  using Digest = std::array<uint8_t, 16>;
  std::vector<Digest> blocks_;
  uint64_t bytes_;
};

// Calls run(0) … run(pieces - 1), each once, on at most `threads` threads. `run` throws nothing.
void OnThreads(size_t pieces, unsigned threads, const std::function<void(size_t)>& run);

}  // namespace cairn::snapshot
