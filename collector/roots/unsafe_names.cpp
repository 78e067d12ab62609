#include "collector/roots/unsafe_names.h"

#include <cstring>

namespace cairn::collector {

bool UnsafeNames::Map() { return slots_.Map(kSlots * sizeof(Slot)) && text_.Map(kTextBytes); }

void UnsafeNames::Reset() {
  if (used_ > 0) std::memset(slots_.data(), 0, kSlots * sizeof(Slot));
  used_ = text_used_ = 0;
  dropped_ = 0;
}

// The function's slot, or the free one where it belongs.
UnsafeNames::Slot* UnsafeNames::Probe(FunctionId id) const {
  constexpr uint64_t kMix = 0x9E3779B97F4A7C15;
  auto* slots = reinterpret_cast<Slot*>(slots_.data());
  size_t at = (id * kMix) >> 48;
  while (slots[at].id != 0 && slots[at].id != id) at = (at + 1) % kSlots;
  return &slots[at];
}

void UnsafeNames::Add(FunctionSource& functions, FunctionId id) {
  if (slots_.data() == nullptr || id == 0) return;
  Slot* slot = Probe(id);
  if (slot->id == id) return;
  if (used_ >= kSlots / 2 || text_used_ + kNameBytes > kTextBytes) {
    ++dropped_;
    return;
  }
  const size_t size = functions.UnsafeName(id, reinterpret_cast<char*>(text_.data()) + text_used_, kNameBytes);
  *slot = {id, static_cast<uint32_t>(text_used_), static_cast<uint32_t>(size)};
  text_used_ += size;
  ++used_;
}

UnsafeNames::State UnsafeNames::Find(FunctionId id, std::string_view* name) const {
  if (slots_.data() == nullptr || id == 0) return State::kNotSeen;
  const Slot* slot = Probe(id);
  if (slot->id != id) return State::kNotSeen;
  if (slot->size == 0) return State::kOrdinary;
  *name = {reinterpret_cast<const char*>(text_.data()) + slot->at, slot->size};
  return State::kNamed;
}

}  // namespace cairn::collector
