#pragma once
// A collector that was loaded at start-up (CORECLR_* variables). It asks for nothing that costs anything and
// waits on a control socket: kCapture takes a --light capture, also where the diagnostics socket is off; kDetach makes
// it leave, so that an ordinary attach becomes possible.
// Thread rule: Start on the runtime's start-up thread, the On… functions from callbacks; one thread of its
// own listens. It never holds the target's exit up.

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "collector/abi/profiler_info.h"
#include "collector/capture/capture_service.h"
#include "collector/tracking/control_listener.h"

namespace cairn::collector {

class ResidentCollector {
 public:
  explicit ResidentCollector(CaptureService& service) : service_(service) {}

  // Initialize. A socket that cannot be made is no reason to disturb the target: it is then just not reachable.
  abi::HRESULT Start(abi::IUnknown* runtime);
  bool IsActive() const { return active_; }
  void OnDetached();
  void OnShutdown();

 private:
  static void ListenEntry(void* self);
  void Serve();
  bool ServeClient(int client);
  bool Answer(ClientChannel& channel);
  bool Leave(ClientChannel& channel);
  bool DetachFromRuntime();
  bool RequestDetach();

  CaptureService& service_;
  std::atomic<bool> active_{false}, exiting_{false};
  abi::ComPtr<abi::ICorProfilerInfo5> info_;    // empty from the first request to leave on
  abi::ICorProfilerInfo3* observed_ = nullptr;  // the runtime's own, until the detach has succeeded
  bool requested_ = false;
  ControlListener listener_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool detached_ = false;
};

}  // namespace cairn::collector
