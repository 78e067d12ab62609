#pragma once
// Tells the client of each distinct stack once, and before it of each method on it once. Frames are serial numbers of
// methods (collector/observing/function_names.h). Thread rule: the observation's thread.

#include <cstdint>
#include <span>
#include <vector>

#include "collector/observing/function_names.h"
#include "collector/observing/observation_sink.h"
#include "collector/sampling/stack_table.h"

namespace cairn::collector {

class ToldStacks {
 public:
  // The stack's number for the client. 0: no room for another.
  uint32_t NumberOf(ObservationSink& sink, FunctionNames& names, std::span<const uint32_t> frames, bool cut);

 private:
  void TellMethod(ObservationSink& sink, FunctionNames& names, uint32_t serial);

  StackTable stacks_;
  std::vector<bool> told_methods_;
};

}  // namespace cairn::collector
