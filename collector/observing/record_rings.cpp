#include "collector/observing/record_rings.h"

#include <algorithm>
#include <cstring>

#include "collector/capture/clock.h"
#include "collector/capture/native_thread.h"

namespace cairn::collector {

namespace {

size_t RingOf(uint32_t os_thread) {
  constexpr uint64_t kMix = 0x9E3779B97F4A7C15;
  return (os_thread * kMix) >> 61;
}
static_assert(RecordRings::kRings == 8, "three bits");

}  // namespace

bool RecordRings::Map(size_t bytes) {
  bytes_ = bytes;
  const bool mapped = std::all_of(rings_.begin(), rings_.end(), [&](JournalRing& ring) { return ring.Map(bytes); });
  if (!mapped) Unmap();
  return mapped;
}

void RecordRings::Unmap() {
  for (JournalRing& ring : rings_) ring.Unmap();
}

bool RecordRings::Write(uint16_t kind, uint16_t detail, std::span<const uint8_t> first,
                        std::span<const uint8_t> payload) {
  Gate& gate = gates_[kind];
  if (!gate.shut.load(std::memory_order_relaxed)) {
    const ObservedRecord record{NowNs(), OwnThreadId(), kind, detail};
    uint8_t head[sizeof record + kLongestFirst];
    const size_t size = std::min(first.size(), kLongestFirst);
    std::memcpy(head, &record, sizeof record);
    if (size > 0) std::memcpy(head + sizeof record, first.data(), size);
    if (rings_[RingOf(record.os_thread)].Write({head, sizeof record + size}, payload, bytes_ / 16 * rank_[kind]))
      return true;
    gate.shut.store(true, std::memory_order_relaxed);
  }
  gate.lost.fetch_add(1, std::memory_order_relaxed);
  lost_.fetch_add(1, std::memory_order_relaxed);
  return false;
}

// The rings are read as they stood at one moment, so that this ends however much comes meanwhile.
bool RecordRings::Drain(const std::function<bool(const ObservedRecord&, std::span<const uint8_t>)>& take) {
  const uint64_t until = NowNs();
  for (;;) {
    JournalRing* oldest = nullptr;
    ObservedRecord record{.time_ns = until + 1};
    std::span<const uint8_t> bytes;
    for (JournalRing& ring : rings_) {
      const std::span<const uint8_t> next = ring.Next();
      ObservedRecord candidate;
      if (next.size() < sizeof candidate) continue;
      std::memcpy(&candidate, next.data(), sizeof candidate);
      if (candidate.time_ns >= record.time_ns) continue;
      oldest = &ring;
      record = candidate;
      bytes = next;
    }
    if (oldest == nullptr) return was_read_ = true;
    if (!take(record, bytes.subspan(sizeof record))) return was_read_ = false;
    oldest->Pop();
  }
}

uint64_t RecordRings::Reopen(uint16_t kind) {
  Gate& gate = gates_[kind];
  if (!was_read_) return 0;
  gate.shut.store(false, std::memory_order_relaxed);
  return gate.lost.load(std::memory_order_relaxed) == 0 ? 0 : gate.lost.exchange(0);
}

}  // namespace cairn::collector
