#include "collector/observing/sighted_names.h"

#include <cstring>
#include <span>

#include "collector/capture/clock.h"
#include "collector/walk/pages.h"

namespace cairn::collector {

namespace {

constexpr size_t kSlots = 1u << 16;  // a power of two
constexpr size_t kLongestProbe = 64;
constexpr size_t kRingBytes = 4u << 20;
constexpr size_t kNameBytes = 512;
constexpr int kPublishTries = 100;
// So many names are kept, about 100 bytes each; whatever else is seen later has none.
constexpr uint32_t kMostSerials = 1u << 18;

// What stands in a slot instead of an ID, which is an aligned address.
constexpr uint64_t kFree = 0, kForgotten = 1, kBeingFilled = 2;

struct Sighted {
  uint64_t id;
  uint32_t serial;
  uint32_t may_go;  // its name follows
};

const SightedNames::Entry kUnknown{0, true, "(unknown)", {}};

size_t Home(uint64_t id) { return (id * 0x9E3779B97F4A7C15) >> 48; }

}  // namespace

struct SightedNames::Slot {
  std::atomic<uint64_t> id;
  std::atomic<uint32_t> serial;
  std::atomic<uint32_t> may_go;
};

SightedNames::~SightedNames() {
  if (slots_ != nullptr) pages::Unmap(reinterpret_cast<uint8_t*>(slots_), kSlots * sizeof(Slot));
}

bool SightedNames::Map() {
  slots_ = reinterpret_cast<Slot*>(pages::Map(kSlots * sizeof(Slot)));
  return slots_ != nullptr && ring_.Map(kRingBytes);
}

// ---- callbacks -------------------------------------------------------------------------------------

// Another may get the slot at any moment: then its serial is seen only after the ID has changed.
uint32_t SightedNames::Find(uint64_t id) const {
  for (size_t i = 0; i < kLongestProbe; ++i) {
    const Slot& slot = slots_[(Home(id) + i) % kSlots];
    const uint64_t there = slot.id.load(std::memory_order_acquire);
    if (there == kFree) return 0;
    if (there != id) continue;
    const uint32_t serial = slot.serial.load(std::memory_order_acquire);
    if (slot.id.load(std::memory_order_relaxed) == id) return serial;
  }
  return 0;
}

// False: no slot. Two threads may keep the same ID in two slots, which costs a name and nothing else.
bool SightedNames::Keep(uint64_t id, uint32_t serial, bool may_go) {
  for (size_t i = 0; i < kLongestProbe; ++i) {
    Slot& slot = slots_[(Home(id) + i) % kSlots];
    uint64_t there = slot.id.load(std::memory_order_relaxed);
    if (there > kForgotten || !slot.id.compare_exchange_strong(there, kBeingFilled)) continue;
    slot.serial.store(serial, std::memory_order_release);
    slot.may_go.store(may_go ? 1 : 0, std::memory_order_relaxed);
    slot.id.store(id, std::memory_order_release);
    return true;
  }
  return false;
}

// The name is in the ring before anybody can learn the serial.
uint32_t SightedNames::Sight(uint64_t id) {
  if (id <= kBeingFilled) return 0;
  if (const uint32_t known = Find(id)) return known;
  if (next_.load(std::memory_order_relaxed) >= kMostSerials) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }
  char name[kNameBytes];
  const size_t size = NameOfUnsafe(id, name, sizeof name);
  const Sighted sighted{id, next_.fetch_add(1), size != 0 ? 1u : 0u};
  const std::span head(reinterpret_cast<const uint8_t*>(&sighted), sizeof sighted);
  if (!ring_.Write(head, {reinterpret_cast<const uint8_t*>(name), size}, 0)) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }
  // Else it would be another one each time.
  if (Keep(id, sighted.serial, size != 0)) return sighted.serial;
  dropped_.fetch_add(1, std::memory_order_relaxed);
  return 0;
}

void SightedNames::ForgetSlot(Slot& slot) {
  uint64_t there = slot.id.load(std::memory_order_acquire);
  if (there > kBeingFilled && slot.may_go.load(std::memory_order_relaxed) != 0)
    slot.id.compare_exchange_strong(there, kForgotten);
}

void SightedNames::Forget() {
  if (slots_ == nullptr) return;
  for (size_t i = 0; i < kSlots; ++i) ForgetSlot(slots_[i]);
  gate_.Pass();
}

void SightedNames::ForgetOne(uint64_t id) {
  if (slots_ == nullptr) return;
  for (size_t i = 0; i < kLongestProbe; ++i) {
    Slot& slot = slots_[(Home(id) + i) % kSlots];
    const uint64_t there = slot.id.load(std::memory_order_relaxed);
    if (there == id) ForgetSlot(slot);
    if (there == kFree) return;
  }
}

// ---- the observation's thread ----------------------------------------------------------------------

void SightedNames::Take() {
  for (auto record = ring_.Next(); !record.empty(); record = ring_.Next()) {
    Sighted sighted;
    std::memcpy(&sighted, record.data(), sizeof sighted);
    if (sighted.serial >= entries_.size()) entries_.resize(sighted.serial + 1);
    Entry& entry = entries_[sighted.serial];
    entry.id = sighted.id;
    entry.is_named = sighted.may_go != 0;
    const auto text = record.subspan(sizeof sighted);
    if (entry.is_named) entry.name = Readable({reinterpret_cast<const char*>(text.data()), text.size()});
    ring_.Pop();
  }
}

// A serial was given only after its name was in the ring; behind one that is still being written it may come late.
const SightedNames::Entry& SightedNames::Of(uint32_t serial) {
  if (serial == 0) return kUnknown;
  for (int i = 0; i < kPublishTries && !IsKnown(serial); ++i) {
    if (i > 0) SleepMs(1);
    Take();
  }
  if (!IsKnown(serial)) return kUnknown;
  Entry& entry = entries_[serial];
  if (entry.is_named) return entry;
  const UnloadGate::Hold hold(gate_);
  entry.is_named = true;
  entry.name = kUnknown.name;
  NameOrdinary(entry);
  return entry;
}

}  // namespace cairn::collector
