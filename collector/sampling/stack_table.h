#pragma once
// Each distinct stack once. Frames are serial numbers of methods (collector/observing/function_names.h), innermost
// first. Thread rule: one thread. Memory: bounded; what does not fit any more is the stack 0, which has no frames.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::collector {

class StackTable {
 public:
  static constexpr size_t kMostStacks = size_t{1} << 20;
  static constexpr size_t kMostFrames = size_t{16} << 20;

  explicit StackTable(size_t most_stacks = kMostStacks, size_t most_frames = kMostFrames)
      : most_stacks_(most_stacks), most_frames_(most_frames) {}

  // The stack's number, given in the order in which stacks are first seen. `cut`: there were more frames.
  uint32_t Intern(std::span<const uint32_t> frames, bool cut);
  uint32_t Size() const { return static_cast<uint32_t>(entries_.size()); }
  std::span<const uint32_t> Frames(uint32_t stack) const;
  bool IsCut(uint32_t stack) const { return entries_[stack].cut; }
  // Stacks that did not fit.
  uint64_t Overflowed() const { return overflowed_; }

 private:
  struct Entry {
    uint64_t hash = 0;
    size_t at = 0;  // in frames_
    uint16_t size = 0;
    bool cut = false;
  };
  static uint64_t Hash(std::span<const uint32_t> frames, bool cut);
  size_t Probe(uint64_t hash, std::span<const uint32_t> frames, bool cut) const;
  void Grow();

  const size_t most_stacks_, most_frames_;
  std::vector<Entry> entries_{1};
  std::vector<uint32_t> frames_;
  std::vector<uint32_t> slots_ = std::vector<uint32_t>(1024);  // numbers of entries, 0: free; a power of two
  uint64_t overflowed_ = 0;
};

}  // namespace cairn::collector
