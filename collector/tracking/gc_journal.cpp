#include "collector/tracking/gc_journal.h"

#include <cstring>

namespace cairn::collector {

namespace {

using protocol::HeapBound;
using protocol::JournalHeader;
using protocol::JournalKind;
using protocol::JournalLoss;

constexpr uint32_t kStartEvent = 1, kSurvivedEvent = 21, kMovedEvent = 22, kGlobalHeapHistoryEvent = 205;
constexpr uint32_t kStartVersion = 2;
constexpr size_t kMostRanges = size_t{1} << 18;  // of the heap; a region of 4 MiB each: a terabyte
// What is small and must not be missing has room that ranges leave free.
constexpr size_t kSpareBytes = size_t{4} << 20;

template <class Value>
Value At(std::span<const uint8_t> payload, size_t offset) {
  Value value;
  std::memcpy(&value, payload.data() + offset, sizeof value);
  return value;
}

std::span<const uint8_t> BytesOf(const JournalHeader& header) {
  return {reinterpret_cast<const uint8_t*>(&header), sizeof header};
}

}  // namespace

bool GcJournal::Prepare(abi::ICorProfilerInfo10* info, size_t ring_bytes) {
  info_ = info;
  suspended_ = collecting_ = has_history_ = has_latest_ = false;
  lost_ = 0;
  running_ = ring_.Map(ring_bytes) && ranges_.Map(kMostRanges) && bounds_.Map(kMostRanges);
  if (!running_) Free();
  return running_;
}

void GcJournal::Stop() { running_ = false; }

void GcJournal::Free() {
  ring_.Unmap();
  ranges_.Free();
  bounds_.Free();
}

bool GcJournal::Write(const JournalHeader& header, std::span<const uint8_t> items, size_t spare) {
  const uint16_t lost = lost_.exchange(0);
  if (lost != 0 && !ring_.Write(BytesOf({JournalKind::kLost, lost, 0, 0}), {}, 0)) lost_ = lost;
  if (ring_.Write(BytesOf(header), items, spare)) return true;
  lost_ = static_cast<uint16_t>(JournalLoss::kOverflow);
  return false;
}

void GcJournal::Lose(JournalLoss loss) { Write({JournalKind::kLost, static_cast<uint16_t>(loss), 0, 0}, {}, 0); }

bool GcJournal::WriteBounds(JournalKind kind, uint16_t detail) {
  uint32_t count = 0;
  const bool known =
      abi::Succeeded(info_->GetGenerationBounds(static_cast<uint32_t>(ranges_.Capacity()), &count, ranges_.Data())) &&
      count <= ranges_.Capacity();
  if (!known) {
    Lose(JournalLoss::kNoBounds);
    return false;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const abi::GcGenerationRange& range = ranges_[i];
    bounds_[i] = {range.start, range.length, range.reserved, static_cast<uint32_t>(range.generation), 0};
  }
  const auto* items = reinterpret_cast<const uint8_t*>(bounds_.Data());
  return Write({kind, detail, count, 0}, {items, count * sizeof(HeapBound)}, 0);
}

void GcJournal::OnCollectionStarted(std::span<const abi::Bool> collected) {
  if (!running_) return;
  collecting_ = suspended_.load();
  has_history_ = false;
  uint16_t mask = 0;
  for (size_t i = 0; i < collected.size() && i < 16; ++i) {
    if (collected[i] != 0) mask = static_cast<uint16_t>(mask | (1u << i));
  }
  WriteBounds(JournalKind::kBounds, mask);
}

void GcJournal::OnEvent(uint32_t id, uint32_t version, std::span<const uint8_t> payload) {
  if (!running_) return;
  switch (id) {
    case kStartEvent:
      // An event session begins with an event of the same number, about the process.
      if (version >= kStartVersion) OnStartEvent(payload);
      return;
    case kSurvivedEvent:
      return OnRanges(JournalKind::kSurvived, payload);
    case kMovedEvent:
      return OnRanges(JournalKind::kMoved, payload);
    case kGlobalHeapHistoryEvent:
      return OnHistoryEvent(payload);
    default:
      return;
  }
}

// Layout: u32 number, u32 generation, u32 reason, u32 type, … With two event sessions it comes twice.
void GcJournal::OnStartEvent(std::span<const uint8_t> payload) {
  if (payload.size() < 16) return Lose(JournalLoss::kMalformed);
  const auto number = At<uint32_t>(payload, 0);
  if (has_latest_ && latest_ == number) return;
  latest_ = number;
  has_latest_ = true;
  Write({JournalKind::kCollection, 0, 0, number}, {}, 0);
}

// Layout: u32 index, u32 count, u16 runtime instance, then the ranges, packed. What a background collection calls
// survivors is what had not yet been swept: it proves nothing.
void GcJournal::OnRanges(JournalKind kind, std::span<const uint8_t> payload) {
  constexpr size_t kHeader = 4 + 4 + 2;
  if (!collecting_) return;
  const uint32_t count = payload.size() >= kHeader ? At<uint32_t>(payload, 4) : 0;
  const uint64_t bytes = uint64_t{count} * ItemBytes(kind);
  if (payload.size() < kHeader + bytes) return Lose(JournalLoss::kMalformed);
  Write({kind, 0, count, 0}, payload.subspan(kHeader, bytes), kSpareBytes);
}

// Layout: u64 final youngest desired size, i32 number of heaps, u32 condemned generation, u32 reductions, u32 reason,
// u32 mechanisms, … A background collection tells this at its end, perhaps in the middle of another one.
void GcJournal::OnHistoryEvent(std::span<const uint8_t> payload) {
  constexpr uint32_t kConcurrent = 1;
  if (!collecting_) return;
  if (payload.size() < 28) return Lose(JournalLoss::kMalformed);
  if ((At<uint32_t>(payload, 24) & kConcurrent) != 0) return;
  has_history_ = true;
  Write({JournalKind::kCondemned, At<uint16_t>(payload, 12), 0, 0}, {}, 0);
}

bool GcJournal::OnSampled(const protocol::SampledObject& object) {
  const JournalHeader header{JournalKind::kSampled, 0, 1, 0};
  const auto* bytes = reinterpret_cast<const uint8_t*>(&object);
  return running_ && ring_.Write(BytesOf(header), {bytes, sizeof object}, kSpareBytes);
}

void GcJournal::OnSnapshot(uint64_t marker) {
  if (running_) Write({JournalKind::kMarker, 0, 0, marker}, {}, 0);
}

void GcJournal::OnResumeStarted() {
  suspended_ = false;
  collecting_ = false;
}

// That of a background collection comes with the application running, or before another one has told what it did.
void GcJournal::OnCollectionFinished(uint64_t marker) {
  if (!running_ || !suspended_ || !has_history_ || !collecting_.exchange(false)) return;
  WriteBounds(JournalKind::kFinished, 0);
  if (marker != 0) Write({JournalKind::kMarker, 0, 0, marker}, {}, 0);
}

}  // namespace cairn::collector
