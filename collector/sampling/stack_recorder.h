#pragma once
// The calling thread's own managed stack, from inside a callback.
// Call-site rule: on the thread itself, in a callback that came on it: it is then known where its frames begin. Nothing
// is allocated, nothing waits, and no other thread is looked at.

#include <array>
#include <cstdint>

#include "collector/abi/profiler_info.h"

namespace cairn::collector {

struct RecordedStack {
  static constexpr uint32_t kMostFrames = 32;
  std::array<abi::FunctionID, kMostFrames> functions;  // innermost first
  uint32_t size = 0;
  bool cut = false;  // there were more
};

// At most `depth` frames; none where the runtime refuses.
void RecordOwnStack(abi::ICorProfilerInfo2& info, uint32_t depth, RecordedStack* stack);

}  // namespace cairn::collector
