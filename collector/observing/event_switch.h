#pragma once
// The one event session of an observation. It is opened and closed on a thread of its own: the runtime makes a thread
// that opens one its own, and from then on refuses it whatever may only be asked by strangers, names above all.
// Ownership: the thread lives from Start to Stop. Thread rule: one thread calls; it waits for each.

#include <condition_variable>
#include <mutex>
#include <vector>

#include "collector/abi/profiler_info.h"
#include "collector/observing/observer.h"

namespace cairn::collector {

// What the thread is called, and that of the observation: what the runtime does on them is our doing.
inline constexpr const char* kSwitchThread = "cairn-switch";
inline constexpr const char* kObserveThread = "cairn-observe";

class EventSwitch {
 public:
  // Why not: refused by the runtime, or no thread to be had. Call-site rule: outside callbacks.
  const Refusal* Start(abi::ICorProfilerInfo12* info, const std::vector<ObservedProvider>& providers);
  // A session that is left open would go on after the detach. Nothing happens where none is open.
  void Stop();

 private:
  enum class State : uint8_t { kNone, kOpening, kOpen, kRefused, kClosing };

  static void Enter(void* self);
  void Serve();
  void Become(State state);
  State WaitWhile(State state);

  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::kNone;
  abi::ICorProfilerInfo12* info_ = nullptr;
  std::vector<abi::EventPipeProviderConfig> configs_;
};

}  // namespace cairn::collector
