#pragma once
// The masks that a runtime has of us: the bits of the capture under way, and those of whoever stays beside it (an
// observation, the following of objects, a collector that was loaded at the start). Neither takes the other's away.
// Thread rule: any thread, callbacks in a pause too: the lock is only held by threads that no pause stops.

#include <cstdint>
#include <mutex>

#include "collector/abi/profiler_info.h"

namespace cairn::collector {

class EventMasks {
 public:
  // ---- of a capture ----
  // Concurrent collections are off from the first one until the detach.
  abi::HRESULT SetFirst(abi::ICorProfilerInfo5& info);
  abi::HRESULT SetMonitorGc(abi::ICorProfilerInfo5& info, bool on);
  // ThreadCreated too; MONITOR_GC must be off.
  abi::HRESULT SetThreadCallbacks(abi::ICorProfilerInfo5& info, bool on);
  // The capture is over, and the collector stays.
  abi::HRESULT EndCapture(abi::ICorProfilerInfo5& info);

  // ---- of whoever stays ----
  abi::HRESULT Keep(abi::ICorProfilerInfo5& info, uint32_t low, uint32_t high);
  // The bits of a capture, to follow objects.
  abi::HRESULT KeepAsCapture(abi::ICorProfilerInfo5& info);

  // The runtime has gone on with its start without us: it has nothing of us, and the next attach begins anew.
  void Forget();

  // No callbacks any more but that of the detach.
  abi::HRESULT Clear(abi::ICorProfilerInfo5& info);

 private:
  struct Bits {
    uint32_t low = 0, high = 0;
  };
  static Bits OfCapture(abi::ICorProfilerInfo5& info, uint32_t also);
  abi::HRESULT Set(abi::ICorProfilerInfo5& info, Bits& part, Bits wanted);

  std::mutex mutex_;
  Bits capture_, kept_;
  uint32_t fixed_ = 0;  // taken at the runtime's start, which keeps them, and refuses a mask without them
};

}  // namespace cairn::collector
