#include "collector/sampling/frame_chain.h"

namespace cairn::collector {

namespace {

struct Frame {
  uintptr_t before, returns_to;
};

bool IsFrame(uintptr_t address, uintptr_t from, uintptr_t end) {
  return address > from && address % sizeof(uintptr_t) == 0 && end > sizeof(Frame) && address <= end - sizeof(Frame);
}

}  // namespace

void ReadFrameChain(uintptr_t frame, uintptr_t stack_end, FrameChain* chain) {
  chain->size = 0;
  chain->cut = false;
  for (uintptr_t from = frame - 1; IsFrame(frame, from, stack_end);) {
    if (chain->size == FrameChain::kMostLinks) {
      chain->cut = true;
      return;
    }
    const auto& there = *reinterpret_cast<const Frame*>(frame);
    chain->links[chain->size++] = there.returns_to;
    from = frame;
    frame = there.before;
  }
}

// Behind a chain that was cut there may be another stack, unless that is cut as well.
bool ChainStandsFor(const FrameChain& chain, const RecordedStack& stack) {
  if (stack.size == 0 || (chain.cut && !stack.cut)) return false;
  uint32_t found = 0;
  for (const uint64_t link : chain.Links())
    if (found < stack.size && link == stack.addresses[found]) ++found;
  return found == stack.size;
}

}  // namespace cairn::collector
