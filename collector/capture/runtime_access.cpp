#include "collector/capture/runtime_access.h"

#include "collector/capture/cpu_budget.h"

namespace cairn::collector {

namespace {

// .NET Core 3.1 calls itself 4.0.30319, as the .NET Framework does: then the client finds out which it is, and
// from its heap which collector it has.
void ReadVersion(RuntimeAccess& access) {
  uint16_t instance = 0, major = 0, minor = 0, build = 0, fix = 0;
  abi::RuntimeType type{};
  abi::WChar text[256] = {};
  uint32_t length = 0;
  access.info->GetRuntimeInformation(&instance, &type, &major, &minor, &build, &fix, 255, &length, text);
  for (const abi::WChar* at = text; *at != 0 && *at < 0x7F; ++at) access.version += static_cast<char>(*at);
  const std::string numbers = std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
  if (access.version.empty()) access.version = numbers;
  if (!access.events) access.version.clear();
  access.major = major;
}

// The GC's own threads carry a name that only server GC uses.
bool HasServerGcThread() {
  GcThreads threads;
  threads.Find();
  return threads.Count() != 0;
}

}  // namespace

bool RuntimeAccess::Open(abi::IUnknown* runtime) {
  info = abi::ComPtr<abi::ICorProfilerInfo10>::From(runtime);
  if (!info) return false;
  events = abi::ComPtr<abi::ICorProfilerInfo12>::From(runtime);
  handles = abi::ComPtr<abi::ICorProfilerInfo13>::From(runtime);
  frozen = abi::ComPtr<abi::ICorProfilerInfo14>::From(runtime);
  ReadVersion(*this);
  server_gc = HasServerGcThread();
  return true;
}

void RuntimeAccess::Release() {
  frozen.Reset();
  handles.Reset();
  events.Reset();
  info.Reset();
}

}  // namespace cairn::collector
