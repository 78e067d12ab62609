#include "collector/sampling/stack_recorder.h"

#include <algorithm>

namespace cairn::collector {

namespace {

struct Walk {
  RecordedStack* stack;
  uint32_t depth;
};

// Native frames between managed ones have no function. A failure ends the walk, which is how it stays short.
abi::HRESULT CAIRN_STDCALL OnFrame(abi::FunctionID function, uintptr_t, abi::FrameInfo, uint32_t, uint8_t*,
                                   void* client) {
  auto& walk = *static_cast<Walk*>(client);
  if (function == 0) return abi::kOk;
  if (walk.stack->size == walk.depth) {
    walk.stack->cut = true;
    return abi::kFail;
  }
  walk.stack->functions[walk.stack->size++] = function;
  return abi::kOk;
}

}  // namespace

void RecordOwnStack(abi::ICorProfilerInfo2& info, uint32_t depth, RecordedStack* stack) {
  Walk walk{stack, std::min(depth, RecordedStack::kMostFrames)};
  stack->size = 0;
  stack->cut = false;
  info.DoStackSnapshot(0, OnFrame, 0, &walk, nullptr, 0);
}

}  // namespace cairn::collector
