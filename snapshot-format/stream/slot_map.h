#pragma once
// Which slots of a chunk are null, and whose they are: enough to tell in which slot a reference is.
// Plain data, reused from chunk to chunk.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace cairn::stream {

struct SlotMap {
  std::vector<uint32_t> first_slot;  // as in DecodedChunk
  std::vector<uint64_t> filled;      // a bit per slot, 0 for null; those behind the last slot mean nothing

  // No slot is null.
  void Reset(uint32_t objects, uint32_t slots) {
    first_slot.resize(size_t{objects} + 1);
    filled.assign(size_t{slots} / 64 + 1, ~uint64_t{0});
  }
  void MarkNull(uint32_t begin, uint32_t end) {
    for (uint32_t bits = 0; begin < end; begin += bits) {
      bits = BitsOfWord(begin, end);
      filled[begin / 64] &= ~Mask(begin, bits);
    }
  }
  // Slot of the `n`th reference in [begin, end), counted from 0; `end` where there are fewer, and then `n` is less by
  // as many as there are. Complexity: a step for each 64 slots.
  uint32_t Find(uint64_t& n, uint32_t begin, uint32_t end) const {
    for (uint32_t bits = 0; begin < end; begin += bits) {
      bits = BitsOfWord(begin, end);
      uint64_t word = filled[begin / 64] & Mask(begin, bits);
      const auto references = static_cast<uint64_t>(std::popcount(word));
      if (n < references) {
        for (; n != 0; --n) word &= word - 1;
        return begin / 64 * 64 + static_cast<uint32_t>(std::countr_zero(word));
      }
      n -= references;
    }
    return end;
  }

 private:
  // Of those in [begin, end), how many are in the word of the first.
  static uint32_t BitsOfWord(uint32_t begin, uint32_t end) { return std::min(64 - begin % 64, end - begin); }
  static uint64_t Mask(uint32_t begin, uint32_t bits) { return ~uint64_t{0} >> (64 - bits) << begin % 64; }
};

}  // namespace cairn::stream
