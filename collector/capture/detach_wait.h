#pragma once
// How a session that is no capture leaves the runtime: it asks for the detach, and waits until nothing of ours is left
// there. A detach that comes later than anybody waits for, or that no thread of ours can wait for, is finished by the
// callback that tells of it.
// Thread rule: Expect, then Request or Leave, by the session; Detached by the runtime's thread, at any time.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include "collector/capture/client_channel.h"
#include "collector/capture/event_masks.h"
#include "collector/capture/runtime_access.h"

namespace cairn::collector {

// When the runtime first looks whether its callbacks have left us: after this time, at least 300 ms. When twice the
// time has passed before its own thread gets to run, it sleeps 5 s instead, so a small value is slow on a busy machine.
inline constexpr uint32_t kDetachHintMs = 300;

class DetachWait {
 public:
  // The next attach begins: a thread of ours will leave.
  void Expect();
  // Without a thread to wait: whoever hears of the detach does the rest. `channel` is shut where the runtime refuses.
  void Request(RuntimeAccess& runtime, EventMasks& masks, ClientChannel& channel);
  // True: nothing of ours is left. Else `channel` was shut, and the rest is the callback's. `ending`: the process is.
  bool Leave(RuntimeAccess& runtime, EventMasks& masks, const std::atomic<bool>& ending, ClientChannel& channel);

  // ProfilerDetachSucceeded. Does `rest` where nobody waits.
  void Detached(const std::function<void()>& rest);

 private:
  // The runtime keeps the interface until the detach has succeeded; ours must be gone by then.
  static abi::ICorProfilerInfo3* Release(RuntimeAccess& runtime, EventMasks& masks);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool detached_ = false;
  bool awaited_ = false;  // by a thread, which then does the rest
};

}  // namespace cairn::collector
