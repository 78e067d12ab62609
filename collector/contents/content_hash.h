#pragma once
// 64-bit hash of a string's or array's components under a 128-bit salt. A chain of 64 × 64 → 128 bit products, two
// lanes of 16 bytes, so that it keeps up with memory. Without the salt nobody can try words.
// Freestanding; reads exactly the bytes it is given.

#include <cstdint>

namespace cairn::collector {

struct ContentSalt {
  uint64_t low = 0, high = 0;
};

namespace content_hash {

inline uint64_t Load64(const uint8_t* at) {
  uint64_t word;
  __builtin_memcpy(&word, at, sizeof word);
  return word;
}
inline uint64_t Load32(const uint8_t* at) {
  uint32_t word;
  __builtin_memcpy(&word, at, sizeof word);
  return word;
}
// High and low half of the product, folded; by four products of 32 bits, for processors that have no wider ones.
inline uint64_t MixByHalves(uint64_t a, uint64_t b) {
  const uint64_t a_low = a & 0xFFFFFFFF, a_high = a >> 32, b_low = b & 0xFFFFFFFF, b_high = b >> 32;
  const uint64_t low = a_low * b_low, one = a_high * b_low, two = a_low * b_high;
  const uint64_t middle = (low >> 32) + (one & 0xFFFFFFFF) + (two & 0xFFFFFFFF);
  const uint64_t high = a_high * b_high + (one >> 32) + (two >> 32) + (middle >> 32);
  return (middle << 32 | (low & 0xFFFFFFFF)) ^ high;
}
#if defined(__SIZEOF_INT128__)
__extension__ using Product = unsigned __int128;
inline uint64_t Mix(uint64_t a, uint64_t b) {
  const Product product = static_cast<Product>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}
#else
inline uint64_t Mix(uint64_t a, uint64_t b) { return MixByHalves(a, b); }
#endif

inline constexpr uint64_t kOdd1 = 0x9E3779B97F4A7C15, kOdd2 = 0xC2B2AE3D27D4EB4F;

}  // namespace content_hash

// Never 0, which stands for "none". Whatever the salt, no factor is small where the data are zero.
inline uint64_t ContentHash(const uint8_t* data, uint64_t size, const ContentSalt& salt) {
  using namespace content_hash;
  const uint64_t one = salt.low ^ kOdd1, two = salt.high ^ kOdd2;
  uint64_t state = Mix(one ^ size, two);
  uint64_t other = state ^ two;
  const uint8_t* at = data;
  uint64_t left = size;
  for (; left > 32; left -= 32, at += 32) {
    state = Mix(Load64(at) ^ one, Load64(at + 8) ^ state);
    other = Mix(Load64(at + 16) ^ two, Load64(at + 24) ^ other);
  }
  for (; left > 16; left -= 16, at += 16) state = Mix(Load64(at) ^ one, Load64(at + 8) ^ state);
  // The last 1 to 16 bytes, as two words that may overlap.
  uint64_t first = 0, last = 0;
  if (left >= 8) {
    first = Load64(at), last = Load64(at + left - 8);
  } else if (left >= 4) {
    first = Load32(at), last = Load32(at + left - 4);
  } else if (left > 0) {
    first = at[0], last = uint64_t{at[left / 2]} << 8 | at[left - 1];
  }
  const uint64_t hash = Mix(Mix(first ^ two, last ^ state) ^ other, one ^ kOdd2);
  return hash != 0 ? hash : 1;
}

}  // namespace cairn::collector
