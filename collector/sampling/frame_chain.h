#pragma once
// The calling thread's stack as a chain of return addresses, which costs a tenth of what the runtime takes to name its
// frames, and tells one stack from another: see ChainStandsFor.
//
//   ┌ frame ──────────────┐      ┌ frame ─────────────┐
//   │ frame before    ────┼─────▶│ frame before   ────┼──▶ …
//   │ return address      │      │ return address     │
//   └─────────────────────┘      └────────────────────┘
//
// Call-site rule: on the thread itself, whose stack ends where it says; code between it and the application is
// compiled with frame pointers. Reads only that stack. Nothing is allocated.

#include <array>
#include <cstdint>
#include <span>

#include "collector/sampling/stack_recorder.h"

namespace cairn::collector {

struct FrameChain {
  static constexpr uint32_t kMostLinks = 64;
  std::array<uint64_t, kMostLinks> links;  // return addresses, innermost first
  uint32_t size = 0;
  bool cut = false;  // there were more
  std::span<const uint64_t> Links() const { return std::span(links).first(size); }
};

// From the frame at `frame` on. No links: not within a stack that ends at `stack_end`.
void ReadFrameChain(uintptr_t frame, uintptr_t stack_end, FrameChain* chain);

// Whether an equal chain is always an equal stack. It is when each frame of the stack has its return address in the
// chain: code that keeps a frame at that address always does, so that nothing is skipped between them another time.
bool ChainStandsFor(const FrameChain& chain, const RecordedStack& stack);

}  // namespace cairn::collector
