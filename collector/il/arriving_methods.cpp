#include "collector/il/arriving_methods.h"

namespace cairn::collector::il {

MethodRows ArrivingMethods::Add(abi::ModuleID module) {
  const std::lock_guard lock(mutex_);
  MethodRows added;
  for (size_t i = plan_.Add(module, wishes_.patterns, wishes_.most_methods); i < plan_.Methods().size(); ++i) {
    if (!plan_.Methods()[i].not_traced.empty()) continue;
    added.Add(module, plan_.Methods()[i].method.token);
  }
  rows_.Reserve(rows_.methods.size() + added.methods.size());
  for (const abi::mdMethodDef method : added.methods) rows_.Add(module, method);
  return added;
}

void ArrivingMethods::Refuse(const MethodRows& rows) {
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < rows.methods.size(); ++i) {
    const size_t index = plan_.IndexOf(rows.modules[i], rows.methods[i]);
    if (index == MethodPlan::kNone) continue;
    plan_.LeaveAlone(index, "The runtime refused to compile it anew.");
    corrected_.push_back(index);
  }
}

std::vector<uint8_t> ArrivingMethods::Body(abi::ModuleID module, abi::mdMethodDef method) {
  const std::lock_guard lock(mutex_);
  const size_t index = plan_.IndexOf(module, method);
  if (index == MethodPlan::kNone) return {};  // a caller that inlined one
  if (plan_.WriteNow(index, target_)) return plan_.Methods()[index].bytes;
  corrected_.push_back(index);
  return {};
}

std::vector<protocol::TracedMethod> ArrivingMethods::Untold() {
  const std::lock_guard lock(mutex_);
  std::vector<protocol::TracedMethod> untold;
  const auto tell = [&](size_t index) {
    const PlannedMethod& one = plan_.Methods()[index];
    untold.push_back({static_cast<uint32_t>(index), one.method.name, one.method.module_name, one.not_traced});
  };
  for (; told_ < plan_.Methods().size(); ++told_) tell(told_);
  for (const size_t index : corrected_) tell(index);
  corrected_.clear();
  return untold;
}

size_t ArrivingMethods::Matched() const {
  const std::lock_guard lock(mutex_);
  return plan_.Matched();
}

}  // namespace cairn::collector::il
