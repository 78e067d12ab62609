#include "collector/capture/detach_wait.h"

#include <chrono>

#include "collector/capture/clock.h"

namespace cairn::collector {
namespace {

constexpr std::chrono::milliseconds kLongest{30000};
constexpr int kTries = 50;
constexpr int kRetryMs = 100;

}  // namespace

void DetachWait::Expect() {
  const std::lock_guard lock(mutex_);
  detached_ = false;
  awaited_ = true;
}

abi::ICorProfilerInfo3* DetachWait::Release(RuntimeAccess& runtime, EventMasks& masks) {
  abi::ICorProfilerInfo3* info = runtime.info.Get();
  masks.Clear(*runtime.info.Get());
  runtime.Release();
  return info;
}

void DetachWait::Request(RuntimeAccess& runtime, EventMasks& masks, ClientChannel& channel) {
  abi::ICorProfilerInfo3* info = Release(runtime, masks);
  {
    const std::lock_guard lock(mutex_);
    awaited_ = false;
  }
  if (abi::Failed(info->RequestProfilerDetach(kDetachHintMs))) channel.Shut();
}

bool DetachWait::Leave(RuntimeAccess& runtime, EventMasks& masks, const std::atomic<bool>& ending,
                       ClientChannel& channel) {
  abi::ICorProfilerInfo3* info = Release(runtime, masks);
  bool requested = false;
  for (int tries = 0; tries < kTries && !requested && !ending; ++tries) {
    requested = abi::Succeeded(info->RequestProfilerDetach(kDetachHintMs));
    if (!requested) SleepMs(kRetryMs);
  }
  std::unique_lock lock(mutex_);
  if (requested) changed_.wait_for(lock, kLongest, [this] { return detached_; });
  awaited_ = detached_;
  if (!detached_) channel.Shut();
  return detached_;
}

void DetachWait::Detached(const std::function<void()>& rest) {
  const std::lock_guard lock(mutex_);
  detached_ = true;
  changed_.notify_all();
  if (!awaited_) rest();
}

}  // namespace cairn::collector
