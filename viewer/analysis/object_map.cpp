#include "viewer/analysis/object_map.h"

#include <algorithm>
#include <atomic>

#include "snapshot-format/file/limits.h"

namespace cairn::analysis {

std::string ObjectMap::Check(std::span<const snapshot::Range> ranges, unsigned unit_shift) {
  if (unit_shift > 6) return "The unit of addresses is 2^" + std::to_string(unit_shift) + " bytes, more than 64.";
  const snapshot::Limits limits;
  uint64_t end = 0, total = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const snapshot::Range& range = ranges[i];
    const std::string name = "Heap range " + std::to_string(i);
    if (range.start < end) return name + " starts before the one before it ends.";
    if (range.start & ((uint64_t{1} << unit_shift) - 1))
      return name + " does not start at a multiple of the address unit.";
    if (range.length > limits.max_heap_bytes - total)
      return name + " makes the heap larger than " + std::to_string(limits.max_heap_bytes >> 40) + " TiB.";
    if (range.start + range.length < range.start) return name + " passes the end of the address space.";
    end = range.start + range.length;
    total += range.length;
  }
  return {};
}

ObjectMap::ObjectMap(std::span<const snapshot::Range> ranges, unsigned unit_shift) : shift_(unit_shift) {
  uint64_t words = 0;
  spans_.reserve(ranges.size());
  for (const snapshot::Range& range : ranges) {
    const uint64_t units = (range.length + (uint64_t{1} << shift_) - 1) >> shift_;
    const uint64_t span_words = (units + 64 * kWordsPerBlock - 1) / (64 * kWordsPerBlock) * kWordsPerBlock;
    spans_.push_back({range.start, range.start + range.length, words, span_words, 0});
    words += span_words;
  }
  words_ = FlatArray<uint64_t>(words);
  ranks_ = FlatArray<uint32_t>(words / kWordsPerBlock);
}

bool ObjectMap::Mark(uint32_t range, std::span<const uint64_t> addresses) {
  if (range >= spans_.size()) return false;
  const Span& span = spans_[range];
  uint64_t pending = 0, pending_word = span.first_word, last = 0;
  // Two chunks of a range may share a word.
  const auto flush = [&] {
    if (pending) std::atomic_ref(words_[pending_word]).fetch_or(pending, std::memory_order_relaxed);
  };
  for (const uint64_t address : addresses) {
    if (address <= last || !InSpan(range, address) || address & ((uint64_t{1} << shift_) - 1)) return false;
    last = address;
    const uint64_t bit = (address - span.start) >> shift_;
    if (const uint64_t word = span.first_word + bit / 64; word != pending_word) {
      flush();
      pending_word = word;
      pending = 0;
    }
    pending |= uint64_t{1} << bit % 64;
  }
  flush();
  return true;
}

uint64_t ObjectMap::Index() {
  uint64_t objects = 0;
  for (Span& span : spans_) {
    span.first_object = static_cast<uint32_t>(objects);
    for (uint64_t w = span.first_word; w < span.first_word + span.words; ++w) {
      if (w % kWordsPerBlock == 0) ranks_[w / kWordsPerBlock] = static_cast<uint32_t>(objects);
      objects += Ones(words_[w]);
    }
  }
  objects_ = static_cast<uint32_t>(objects);
  return objects;
}

// The last span that starts at or before `address`; RangeCount() when there is none.
uint32_t ObjectMap::FindSpan(uint64_t address) const {
  const auto after = std::upper_bound(spans_.begin(), spans_.end(), address,
                                      [](uint64_t value, const Span& span) { return value < span.start; });
  return after == spans_.begin() ? RangeCount() : static_cast<uint32_t>(after - spans_.begin() - 1);
}

// Empty ranges share their first object with the next one, so the last candidate is the right one.
uint32_t ObjectMap::SpanOf(ObjectIndex object) const {
  const auto after = std::upper_bound(spans_.begin(), spans_.end(), object.value,
                                      [](uint32_t value, const Span& span) { return value < span.first_object; });
  return static_cast<uint32_t>(after - spans_.begin() - 1);
}

uint32_t ObjectMap::RangeOf(ObjectIndex object) const { return SpanOf(object); }

ObjectIndex ObjectMap::FirstOf(uint32_t range) const {
  return ObjectIndex(range < spans_.size() ? spans_[range].first_object : objects_);
}

ObjectIndex ObjectMap::StartingAtOrBefore(uint64_t address) const {
  const uint32_t found = FindSpan(address);
  if (!InSpan(found, address)) return {};
  const Span& span = spans_[found];
  const uint64_t bit = (address - span.start) >> shift_;
  const uint64_t word = span.first_word + bit / 64;
  const uint64_t up_to_bit = ~uint64_t{0} >> (63 - bit % 64);
  const uint32_t after = Before(word) + Ones(words_[word] & up_to_bit);
  return after > span.first_object ? ObjectIndex(after - 1) : ObjectIndex();
}

uint64_t ObjectMap::AddressOf(ObjectIndex object) const {
  const Span& span = spans_[SpanOf(object)];
  const uint32_t* first = ranks_.data() + span.first_word / kWordsPerBlock;
  const uint32_t* last = first + span.words / kWordsPerBlock;
  const uint32_t* block = std::upper_bound(first, last, object.value) - 1;
  uint32_t left = object.value - *block;
  uint64_t word = static_cast<uint64_t>(block - ranks_.data()) * kWordsPerBlock;
  for (unsigned ones = Ones(words_[word]); ones <= left; ones = Ones(words_[++word])) left -= ones;
  uint64_t bits = words_[word];
  for (; left; --left) bits &= bits - 1;
  const uint64_t bit = (word - span.first_word) * 64 + static_cast<uint64_t>(std::countr_zero(bits));
  return span.start + (bit << shift_);
}

uint64_t ObjectMap::NextStart(uint64_t address) const {
  const uint32_t found = FindSpan(address);
  if (!InSpan(found, address)) return 0;
  const Span& span = spans_[found];
  const uint64_t bit = ((address - span.start) >> shift_) + 1;
  for (uint64_t w = bit / 64; w < span.words; ++w) {
    uint64_t bits = words_[span.first_word + w];
    if (w == bit / 64) bits &= ~uint64_t{0} << bit % 64;
    if (bits) return span.start + ((w * 64 + static_cast<uint64_t>(std::countr_zero(bits))) << shift_);
  }
  return 0;
}

}  // namespace cairn::analysis
