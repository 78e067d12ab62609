#include "collector/sampling/count_table.h"

#include <algorithm>
#include <type_traits>

#include "collector/walk/pages.h"

namespace cairn::collector {

namespace {

static_assert(std::is_trivially_destructible_v<CountTable>);

// The owner is the only one that writes, so that nothing needs to be locked.
void Add(std::atomic<uint64_t>& sum, uint64_t amount) {
  sum.store(sum.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

uint64_t Mixed(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15;
  return hash ^ (hash >> 32);
}

template <class Value>
uint64_t HashOf(std::span<const Value> values, uint64_t seed) {
  uint64_t hash = seed;
  for (const Value value : values) hash = Mixed(hash, value);
  return hash;
}

// The place of the one that `is_it` says yes to, or the free place where it belongs.
template <size_t kSize, class Is>
uint32_t& Probe(std::array<uint32_t, kSize>& index, uint64_t hash, const Is& is_it) {
  static_assert((kSize & (kSize - 1)) == 0);
  size_t at = hash & (kSize - 1);
  while (index[at] != 0 && !is_it(index[at] - 1)) at = (at + 1) & (kSize - 1);
  return index[at];
}

// Writes only where it must, so that pages that are not there stay away.
template <size_t kSize>
void Zero(std::array<uint32_t, kSize>& index) {
  for (uint32_t& place : index)
    if (place != 0) place = 0;
}

}  // namespace

CountTable* CountTable::Map() { return reinterpret_cast<CountTable*>(pages::Map(sizeof(CountTable))); }

uint32_t CountTable::StackOf(std::span<const uint32_t> frames, bool cut) {
  const uint64_t hash = HashOf(frames, cut ? 1 : 2);
  uint32_t& place = Probe(stack_index_, hash, [&](uint32_t number) {
    const Stack& stack = stacks_[number];
    return stack.hash == hash && stack.cut == cut && std::ranges::equal(Frames(number), frames);
  });
  if (place != 0) return place - 1;
  if (stack_count_ == kMostStacks || frames.size() > kMostFrames - frame_count_) return 0;
  const uint32_t number = ++stack_count_;
  stacks_[number] = {hash, frame_count_, static_cast<uint16_t>(frames.size()), cut};
  std::ranges::copy(frames, frames_.begin() + frame_count_);
  frame_count_ += static_cast<uint32_t>(frames.size());
  place = number + 1;
  return number;
}

// A row is there for the reader once it counts; its stack was there before.
bool CountTable::Count(uint32_t type, uint32_t stack, uint64_t bytes) {
  const uint32_t count = row_count_.load(std::memory_order_relaxed);
  uint32_t& place = Probe(row_index_, Mixed(type, stack),
                          [&](uint32_t number) { return rows_[number].type == type && rows_[number].stack == stack; });
  if (place == 0) {
    if (count == kMostRows) return false;
    Row& row = rows_[count];
    row.type = type;
    row.stack = stack;
    row.told_objects = row.told_bytes = 0;
    row.objects.store(0, std::memory_order_relaxed);
    row.bytes.store(0, std::memory_order_relaxed);
    place = count + 1;
    row_count_.store(count + 1, std::memory_order_release);
  }
  Add(rows_[place - 1].objects, 1);
  Add(rows_[place - 1].bytes, bytes);
  return true;
}

std::span<const uint32_t> CountTable::Frames(uint32_t stack) const {
  return std::span(frames_).subspan(stacks_[stack].at, stacks_[stack].size);
}

// Pages go back first, so that most of what is looked at is not there; what lies in part of a page is zeroed by hand.
void CountTable::Clear() {
  pages::Release(reinterpret_cast<uint8_t*>(&row_index_),
                 reinterpret_cast<uint8_t*>(this + 1) - reinterpret_cast<uint8_t*>(&row_index_));
  Zero(row_index_);
  Zero(stack_index_);
  stack_count_ = frame_count_ = 0;
  row_count_.store(0, std::memory_order_release);
}

}  // namespace cairn::collector
