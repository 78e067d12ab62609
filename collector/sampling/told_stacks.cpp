#include "collector/sampling/told_stacks.h"

#include "collector/protocol/allocation_observation.h"

namespace cairn::collector {

using protocol::AllocationBlock;

uint32_t ToldStacks::NumberOf(ObservationSink& sink, FunctionNames& names, std::span<const uint32_t> frames, bool cut) {
  const uint32_t known = stacks_.Size();
  const uint32_t stack = stacks_.Intern(frames, cut);
  if (stack < known) return stack;
  for (const uint32_t serial : frames) TellMethod(sink, names, serial);
  sink.Send(AllocationBlock::kStack, protocol::AllocationStack{stack, cut, {frames.begin(), frames.end()}});
  return stack;
}

void ToldStacks::TellMethod(ObservationSink& sink, FunctionNames& names, uint32_t serial) {
  if (serial >= told_methods_.size()) told_methods_.resize(serial + 1);
  if (serial == 0 || told_methods_[serial]) return;
  told_methods_[serial] = true;
  sink.Send(AllocationBlock::kMethod, protocol::AllocationMethod{serial, names.Name(serial), names.Module(serial)});
}

}  // namespace cairn::collector
