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

}  // namespace cairn::collector
