#include "collector/sampling/stack_table.h"

#include <algorithm>

namespace cairn::collector {

std::span<const uint32_t> StackTable::Frames(uint32_t stack) const {
  return std::span(frames_).subspan(entries_[stack].at, entries_[stack].size);
}

uint64_t StackTable::Hash(std::span<const uint32_t> frames, bool cut) {
  uint64_t hash = cut ? 0x9E3779B97F4A7C15 : 0xC2B2AE3D27D4EB4F;
  for (const uint32_t frame : frames) {
    hash = (hash ^ frame) * 0xFF51AFD7ED558CCD;
    hash ^= hash >> 32;
  }
  return hash;
}

// Where the stack is, or belongs.
size_t StackTable::Probe(uint64_t hash, std::span<const uint32_t> frames, bool cut) const {
  for (size_t at = hash % slots_.size();; at = (at + 1) % slots_.size()) {
    const uint32_t number = slots_[at];
    if (number == 0) return at;
    const Entry& entry = entries_[number];
    if (entry.hash == hash && entry.cut == cut && std::ranges::equal(Frames(number), frames)) return at;
  }
}

uint32_t StackTable::Intern(std::span<const uint32_t> frames, bool cut) {
  const uint64_t hash = Hash(frames, cut);
  size_t at = Probe(hash, frames, cut);
  if (slots_[at] != 0) return slots_[at];
  if (entries_.size() > most_stacks_ || frames_.size() + frames.size() > most_frames_) {
    ++overflowed_;
    return 0;
  }
  if (entries_.size() * 2 > slots_.size()) {
    Grow();
    at = Probe(hash, frames, cut);
  }
  slots_[at] = Size();
  entries_.push_back({hash, frames_.size(), static_cast<uint16_t>(frames.size()), cut});
  frames_.insert(frames_.end(), frames.begin(), frames.end());
  return slots_[at];
}

void StackTable::Grow() {
  std::vector<uint32_t> larger(slots_.size() * 2);
  for (uint32_t number = 1; number < entries_.size(); ++number) {
    size_t at = entries_[number].hash % larger.size();
    while (larger[at] != 0) at = (at + 1) % larger.size();
    larger[at] = number;
  }
  slots_ = std::move(larger);
}

}  // namespace cairn::collector
