#include "collector/il/exception_names.h"

#include <algorithm>

#include "collector/capture/clock.h"
#include "collector/il/body_wrapper.h"
#include "collector/types/live_types.h"

namespace cairn::collector::il {

ExceptionNames::ExceptionNames(abi::ICorProfilerInfo10* info) : info_(info) {}
ExceptionNames::~ExceptionNames() = default;

// Told without the lock: the client may take its time, the runtime's unloading may not wait for it.
bool ExceptionNames::NumberOf(uint64_t exception, uint64_t time_ns, const Teller& tell, uint32_t& number) {
  number = 0;
  if (exception == 0) return true;
  std::string name;
  return !Learn(exception, time_ns, name, number) || tell(number, name);
}

// True: a new one.
bool ExceptionNames::Learn(uint64_t exception, uint64_t time_ns, std::string& name, uint32_t& number) {
  const std::lock_guard lock(gate_);
  if (stale_) {
    by_class_.clear();
    namer_.reset();
    stale_ = false;
  }
  const auto known = by_class_.find(exception);
  if (known != by_class_.end()) {
    number = known->second;
    return false;
  }
  name = Name(exception, time_ns);
  const auto [place, is_new] = by_name_.emplace(name, static_cast<uint32_t>(by_name_.size() + 1));
  number = place->second;
  // What could not be asked about may be known when it is thrown again.
  if (!name.empty()) by_class_[exception] = number;
  return is_new;
}

std::string ExceptionNames::Name(uint64_t exception, uint64_t time_ns) {
  if (exception == kUnknownException || time_ns <= last_unload_ns_) return {};
  if (namer_ == nullptr) namer_ = std::make_unique<LiveTypes>(info_);
  return namer_->types.ClassName(exception);
}

void ExceptionNames::OnModuleUnload() {
  const std::lock_guard lock(gate_);
  stale_ = true;
  last_unload_ns_ = std::max(last_unload_ns_, NowNs());
}

// To all that comes yet, the last unloading has been later.
void ExceptionNames::OnShutdown() {
  const std::lock_guard lock(gate_);
  last_unload_ns_ = UINT64_MAX;
}

}  // namespace cairn::collector::il
