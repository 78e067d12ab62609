#include "snapshot-format/file/content_digest.h"

#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <system_error>
#include <thread>

namespace cairn::snapshot {
namespace {

constexpr size_t kPiece = size_t{64} << 10;

std::array<uint8_t, 16> BytesOf(const XXH128_hash_t& hash) {
  std::array<uint8_t, 16> bytes;
  for (size_t i = 0; i < 8; ++i) {
    bytes[i] = static_cast<uint8_t>(hash.low64 >> 8 * i);
    bytes[8 + i] = static_cast<uint8_t>(hash.high64 >> 8 * i);
  }
  return bytes;
}

std::array<uint8_t, 16> Digest128(const void* data, size_t size) { return BytesOf(XXH3_128bits(data, size)); }

}  // namespace

size_t BlockDigests::SizeOf(size_t i) const {
  return static_cast<size_t>(std::min<uint64_t>(kDigestBlock, bytes_ - uint64_t{i} * kDigestBlock));
}

void BlockDigests::Set(size_t i, const uint8_t* data) { blocks_[i] = Digest128(data, SizeOf(i)); }

bool BlockDigests::SetFrom(int file, size_t i) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
  if (state == nullptr) return false;
  XXH3_128bits_reset(state.get());
  std::array<uint8_t, kPiece> piece;
  for (size_t done = 0; done < SizeOf(i);) {
    const size_t most = std::min(kPiece, SizeOf(i) - done);
    const ssize_t got = pread(file, piece.data(), most, static_cast<off_t>(i * kDigestBlock + done));
    if (got <= 0) return false;
    XXH3_128bits_update(state.get(), piece.data(), static_cast<size_t>(got));
    done += static_cast<size_t>(got);
  }
  blocks_[i] = BytesOf(XXH3_128bits_digest(state.get()));
  return true;
}

std::array<uint8_t, 16> BlockDigests::Whole() const {
  return Digest128(blocks_.data(), blocks_.size() * sizeof(Digest));
}

void OnThreads(size_t pieces, unsigned threads, const std::function<void(size_t)>& run) {
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < pieces;) run(i);
  };
  std::vector<std::thread> others;
  try {
    for (size_t i = 1; i < std::min<size_t>(threads, pieces); ++i) others.emplace_back(work);
  } catch (const std::system_error&) {
    // Fewer threads do the same.
  }
  work();
  for (std::thread& thread : others) thread.join();
}

}  // namespace cairn::snapshot
