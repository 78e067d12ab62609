#pragma once
// What one thread allocated: objects and bytes by type and stack, and each distinct stack once. Fixed size; what does
// not fit is refused, for the caller to count. About 1.5 MiB of addresses, touched as used.
// Thread rule: one thread writes (the owner), one reads (the observation's): rows and stacks are only ever added, and
// the sums of a row only grow. Made of zeroed pages: has no constructor that writes.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::collector {

class CountTable {
 public:
  static constexpr uint32_t kMostRows = 1u << 14;
  static constexpr uint32_t kMostStacks = 1u << 13;
  static constexpr uint32_t kMostFrames = 1u << 17;  // of all stacks

  // Of every table, in its order: kFree → kOwned (a thread takes it) → kLeft (the thread has ended) → kFree (read).
  enum class State : uint32_t { kFree, kOwned, kLeft };
  std::atomic<State> state;

  struct Row {
    uint32_t type, stack;
    std::atomic<uint64_t> objects, bytes;
    uint64_t told_objects, told_bytes;  // the reader's
  };

  // Made of pages that nobody else has. nullptr: no memory.
  static CountTable* Map();

  // ---- the owner ----

  // The number of a stack, of frames that are serial numbers of methods. 0: there is no room for another.
  uint32_t StackOf(std::span<const uint32_t> frames, bool cut);
  // False: there is no room for another row.
  bool Count(uint32_t type, uint32_t stack, uint64_t bytes);

  // ---- the reader ----

  std::span<Row> Rows() { return {rows_.data(), row_count_.load(std::memory_order_acquire)}; }
  // Call-site rule: of a row that was read.
  std::span<const uint32_t> Frames(uint32_t stack) const;
  bool IsCut(uint32_t stack) const { return stacks_[stack].cut; }
  // Call-site rule: the owner has ended. Gives the memory back; whoever comes next begins anew. Leaves the state alone.
  void Clear();

 private:
  struct Stack {
    uint64_t hash;
    uint32_t at;  // in frames_
    uint16_t size;
    bool cut;
  };
  std::atomic<uint32_t> row_count_;
  uint32_t stack_count_, frame_count_;
  // Numbers + 1 of rows and stacks, by hash; never more than half full.
  std::array<uint32_t, 2 * kMostRows> row_index_;
  std::array<uint32_t, 2 * kMostStacks> stack_index_;
  std::array<Row, kMostRows> rows_;
  std::array<Stack, kMostStacks + 1> stacks_;  // 0 is the one without frames
  std::array<uint32_t, kMostFrames> frames_;
};

}  // namespace cairn::collector
