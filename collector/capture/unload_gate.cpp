#include "collector/capture/unload_gate.h"

#include <chrono>

namespace cairn::collector {

namespace {

// Far more than names ever took; should they wait for the thread that waits here, this ends it.
constexpr std::chrono::seconds kLongestWait{20};

}  // namespace

void UnloadGate::Pass() {
  std::unique_lock lock(mutex_);
  opened_.wait_for(lock, kLongestWait, [this] { return holders_ == 0; });
}

void UnloadGate::Add(int holders) {
  const std::lock_guard lock(mutex_);
  holders_ += holders;
  if (holders_ == 0) opened_.notify_all();
}

}  // namespace cairn::collector
