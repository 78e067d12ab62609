#pragma once
// What the collector and its forked child share: one mapping that both see, made and touched before the pause.
// Nothing of it is copied by the fork.
//
//   | ChildBlock | walker | ranges | order of the types | edges per range | compressor | one frame |
//
// Ownership: unmaps when destroyed; the child never does.

#include <atomic>
#include <cstdint>
#include <span>

#include "collector/walk/heap_walker.h"

namespace cairn::collector {

// Whether what the child reads can still be changed by the application.
enum class ChildPages : uint32_t { kShared, kOwn, kRefused };

struct ChildBlock {
  std::atomic<ChildPages> pages{ChildPages::kShared};
  std::atomic<uint32_t> types_are_known{0};
  std::atomic<uint64_t> chunks{0};  // sent so far
  WalkReport report;                // of the pass that counts
};

class ChildMemory {
 public:
  static constexpr size_t kMostRanges = size_t{1} << 16;

  ChildMemory() = default;
  ~ChildMemory();
  ChildMemory(const ChildMemory&) = delete;
  ChildMemory& operator=(const ChildMemory&) = delete;

  // Maps, and touches what a child of an ordinary heap writes to. False: refused by the system.
  bool Map();

  WalkMemory& Walk() { return walk_; }
  ChildBlock& Block() const { return *reinterpret_cast<ChildBlock*>(base_); }
  // Room for one HeapWalker, so that the parent sees the types that the child adds.
  void* WalkerRoom() const { return walker_; }
  std::span<HeapRange> Ranges(size_t count) const { return {ranges_, count}; }
  uint32_t* Order() const { return order_; }
  std::span<uint64_t> Edges(size_t count) const { return {edges_, count}; }
  uint8_t* Workspace() const { return workspace_; }
  uint8_t* Frame() const { return frame_; }

 private:
  WalkMemory walk_;
  uint8_t* base_ = nullptr;
  size_t mapped_ = 0;
  uint8_t* walker_ = nullptr;
  HeapRange* ranges_ = nullptr;
  uint32_t* order_ = nullptr;
  uint64_t* edges_ = nullptr;
  uint8_t* workspace_ = nullptr;
  uint8_t* frame_ = nullptr;
};

}  // namespace cairn::collector
