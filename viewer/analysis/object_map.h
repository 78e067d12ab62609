#pragma once
// Addresses to object indices and back, without a hash: one bit per possible object start, and the number of
// objects before every block of 256 bits. At 44 bytes per object this is 0.8 bytes per object.
//
//   range 0                 range 1            each range starts a new block
//   [bits…][bits…][bits…]   [bits…][bits…]     bit i of a range = an object starts at start + (i << shift)
//   rank    rank   rank      rank   rank       objects before this block, in the whole snapshot
//
// Thread rule: Mark from any threads; then Index once; then everything else from any threads.

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "snapshot-format/file/model.h"
#include "viewer/analysis/flat_array.h"
#include "viewer/analysis/indices.h"

namespace cairn::analysis {

class ArrayList;
class ArrayTaker;

class ObjectMap {
 public:
  static constexpr size_t kWordsPerBlock = 4;

  ObjectMap() = default;
  // `ranges` are in address order and do not overlap; see Check.
  ObjectMap(std::span<const snapshot::Range> ranges, unsigned unit_shift);
  // Empty, or a sentence that says what is wrong with the ranges.
  static std::string Check(std::span<const snapshot::Range> ranges, unsigned unit_shift);

  // Objects start at `addresses`, ascending, in `range`. False when one of them cannot be.
  [[nodiscard]] bool Mark(uint32_t range, std::span<const uint64_t> addresses);
  // Starts of objects as they were saved, instead of Mark; false when they are of other ranges.
  [[nodiscard]] bool Take(ArrayTaker& from);
  void Save(ArrayList& out) const;
  // Counts; returns the number of objects marked.
  uint64_t Index();

  // The object that starts at `address`, else none. `hint` remembers the range between calls.
  ObjectIndex StartingAt(uint64_t address, uint32_t& hint) const {
    if (!InSpan(hint, address)) {
      hint = FindSpan(address);
      if (!InSpan(hint, address)) return {};
    }
    return StartingIn(spans_[hint], address);
  }
  ObjectIndex StartingAt(uint64_t address) const {
    uint32_t hint = 0;
    return StartingAt(address, hint);
  }
  // The last object that starts at or before `address` in its range, else none.
  ObjectIndex StartingAtOrBefore(uint64_t address) const;
  uint64_t AddressOf(ObjectIndex object) const;
  // Where the next object of the same range starts; 0 after the last.
  uint64_t NextStart(uint64_t address) const;
  uint32_t RangeOf(ObjectIndex object) const;
  // First object of a range; RangeCount() is allowed and gives the number of objects.
  ObjectIndex FirstOf(uint32_t range) const;
  uint32_t RangeCount() const { return static_cast<uint32_t>(spans_.size()); }

  // Calls visit(object, address) in address order for the objects of one range, until it returns false.
  template <class Visit>
  bool ForEachIn(uint32_t range, Visit visit) const {
    const Span& span = spans_[range];
    uint32_t object = span.first_object;
    for (uint64_t w = 0; w < span.words; ++w) {
      for (uint64_t bits = words_[span.first_word + w]; bits; bits &= bits - 1) {
        const uint64_t bit = w * 64 + static_cast<uint64_t>(std::countr_zero(bits));
        if (!visit(ObjectIndex(object++), span.start + (bit << shift_))) return false;
      }
    }
    return true;
  }

 private:
  struct Span {
    uint64_t start = 0, end = 0;
    uint64_t first_word = 0, words = 0;
    uint32_t first_object = 0;
  };

  static unsigned Ones(uint64_t bits) {
    // Inline, since without -mpopcnt the compiler calls a function for std::popcount.
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    return static_cast<unsigned>(((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101 >> 56);
  }
  bool InSpan(uint32_t span, uint64_t address) const {
    return span < spans_.size() && address - spans_[span].start < spans_[span].end - spans_[span].start;
  }
  uint32_t FindSpan(uint64_t address) const;
  uint32_t SpanOf(ObjectIndex object) const;
  ObjectIndex StartingIn(const Span& span, uint64_t address) const {
    const uint64_t offset = address - span.start;
    const uint64_t bit = offset >> shift_;
    const uint64_t word = span.first_word + bit / 64;
    const uint64_t mask = uint64_t{1} << bit % 64;
    if (!(words_[word] & mask) || offset & ((uint64_t{1} << shift_) - 1)) return {};
    return ObjectIndex(Before(word) + Ones(words_[word] & (mask - 1)));
  }
  // Objects before `word`.
  uint32_t Before(uint64_t word) const {
    uint32_t count = ranks_[word / kWordsPerBlock];
    for (uint64_t w = word & ~(kWordsPerBlock - 1); w < word; ++w) count += Ones(words_[w]);
    return count;
  }

  unsigned shift_ = 3;
  uint32_t objects_ = 0;
  std::vector<Span> spans_;
  FlatArray<uint64_t> words_;
  FlatArray<uint32_t> ranks_;
};

}  // namespace cairn::analysis
