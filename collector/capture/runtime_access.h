#pragma once
// The runtime's interfaces, asked for once per attach, and what it says of itself.
// Ownership: references are given back by Release; after a detach was requested nothing here may be used.

#include <string>

#include "collector/abi/profiler_info.h"

namespace cairn::collector {

struct RuntimeAccess {
  abi::ComPtr<abi::ICorProfilerInfo10> info;     // .NET Core 3.0
  abi::ComPtr<abi::ICorProfilerInfo12> events;   // .NET 5; empty before
  abi::ComPtr<abi::ICorProfilerInfo13> handles;  // .NET 7; empty before
  abi::ComPtr<abi::ICorProfilerInfo14> frozen;   // .NET 8; empty before
  unsigned major = 0;
  std::string version;  // "10.0.12"
  bool server_gc = false;

  // False: a runtime without ICorProfilerInfo10.
  bool Open(abi::IUnknown* runtime);
  void Release();
};

// The masks of a capture. Concurrent collections are off from the first one until the detach.
abi::HRESULT SetFirstMask(abi::ICorProfilerInfo5& info);
abi::HRESULT SetMonitorGc(abi::ICorProfilerInfo5& info, bool on);
// ThreadCreated too; MONITOR_GC must be off.
abi::HRESULT SetThreadCallbacks(abi::ICorProfilerInfo5& info, bool on);
// Of a collector that was loaded at the start, between captures: nothing that costs anything.
abi::HRESULT SetRestingMask(abi::ICorProfilerInfo5& info);
// No callbacks any more but that of the detach.
abi::HRESULT ClearMask(abi::ICorProfilerInfo5& info);

}  // namespace cairn::collector
