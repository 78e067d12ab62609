#include "collector/tracking/journal_ring.h"

#include <algorithm>
#include <cstring>

#include "collector/walk/pages.h"

namespace cairn::collector {

namespace {

constexpr uint64_t kNoRoom = ~uint64_t{0};
constexpr uint64_t kReleaseBytes = uint64_t{1} << 20;

constexpr uint64_t RoundUp(uint64_t bytes) { return (bytes + 15) & ~uint64_t{15}; }

}  // namespace

bool JournalRing::Map(size_t capacity) {
  Unmap();
  memory_ = pages::Map(capacity);
  capacity_ = capacity;
  head_ = tail_ = 0;
  read_ = 0;
  return memory_ != nullptr;
}

void JournalRing::Unmap() {
  if (memory_ != nullptr) pages::Unmap(memory_, capacity_);
  memory_ = nullptr;
}

// Where a record would go over the ring's end, what is left there becomes a gap.
uint64_t JournalRing::Reserve(uint64_t bytes, size_t spare) {
  uint64_t head = head_.load(std::memory_order_relaxed);
  for (;;) {
    const uint64_t to_end = capacity_ - (head & (capacity_ - 1));
    const uint64_t gap = bytes > to_end ? to_end : 0;
    if (head + gap + bytes + spare > tail_.load(std::memory_order_acquire) + capacity_) return kNoRoom;
    if (!head_.compare_exchange_weak(head, head + gap + bytes)) continue;
    if (gap != 0) Publish(head, static_cast<uint32_t>(gap - sizeof(Slot)), true);
    return head + gap;
  }
}

void JournalRing::Publish(uint64_t position, uint32_t size, bool is_gap) {
  Slot& slot = At(position);
  slot.size = size;
  slot.is_gap = is_gap ? 1 : 0;
  slot.ready.store(position + 1, std::memory_order_release);
}

bool JournalRing::Write(std::span<const uint8_t> head, std::span<const uint8_t> body, size_t spare) {
  const uint64_t size = head.size() + body.size();
  const uint64_t bytes = sizeof(Slot) + RoundUp(size);
  if (memory_ == nullptr || bytes + spare > capacity_ / 2) return false;
  const uint64_t position = Reserve(bytes, spare);
  if (position == kNoRoom) return false;
  uint8_t* at = reinterpret_cast<uint8_t*>(&At(position)) + sizeof(Slot);
  std::memcpy(at, head.data(), head.size());
  if (!body.empty()) std::memcpy(at + head.size(), body.data(), body.size());
  Publish(position, static_cast<uint32_t>(size), false);
  return true;
}

std::span<const uint8_t> JournalRing::Next() {
  for (;;) {
    if (memory_ == nullptr || read_ == head_.load(std::memory_order_acquire)) return {};
    const Slot& slot = At(read_);
    if (slot.ready.load(std::memory_order_acquire) != read_ + 1) return {};
    if (slot.is_gap == 0) return {reinterpret_cast<const uint8_t*>(&slot) + sizeof(Slot), slot.size};
    Advance(sizeof(Slot) + slot.size);
  }
}

void JournalRing::Pop() { Advance(sizeof(Slot) + RoundUp(At(read_).size)); }

void JournalRing::Advance(uint64_t bytes) {
  read_ += bytes;
  const bool enough = read_ - tail_.load(std::memory_order_relaxed) >= std::min(kReleaseBytes, capacity_ / 4);
  if (enough || read_ == head_.load(std::memory_order_relaxed)) GiveBack();
}

// Pages that were read go back to the system, so that a burst does not stay in the target's memory; only then may
// writers have the room again, since what they write must not be thrown away.
void JournalRing::GiveBack() {
  const uint64_t tail = tail_.load(std::memory_order_relaxed);
  const uint64_t from = tail & (capacity_ - 1), bytes = read_ - tail;
  const uint64_t to_end = std::min(bytes, capacity_ - from);
  pages::Release(memory_ + from, to_end);
  if (bytes > to_end) pages::Release(memory_, bytes - to_end);
  tail_.store(read_, std::memory_order_release);
}

}  // namespace cairn::collector
