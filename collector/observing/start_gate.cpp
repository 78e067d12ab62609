#include "collector/observing/start_gate.h"

namespace cairn::collector {

void StartGate::Shut() {
  const std::lock_guard lock(mutex_);
  shut_ = true;
  watches_ = false;
}

bool StartGate::Open(bool watches) {
  const std::lock_guard lock(mutex_);
  if (!shut_) return false;
  shut_ = false;
  watches_ = watches;
  changed_.notify_all();
  return true;
}

bool StartGate::IsShut() {
  const std::lock_guard lock(mutex_);
  return shut_;
}

bool StartGate::Wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !shut_; });
  return watches_;
}

}  // namespace cairn::collector
