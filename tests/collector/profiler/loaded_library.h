#pragma once
// The collector library, loaded as the runtime loads it.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "collector/abi/profiler_callback.h"
#include "collector/protocol/protocol.h"

namespace cairn::collector {

using GetClassObject = abi::HRESULT (*)(const abi::GUID&, const abi::GUID&, void**);

inline void* LoadedLibrary() {
  static void* library = dlopen(CAIRN_COLLECTOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  return library;
}

inline GetClassObject FindGetClassObject() {
  return reinterpret_cast<GetClassObject>(dlsym(LoadedLibrary(), "DllGetClassObject"));
}

inline abi::GUID CollectorClsid() { return abi::GuidFromBytes(protocol::kCollectorClsid); }

// A fresh reference to the profiler, by the steps the runtime takes.
inline abi::ICorProfilerCallback11* CreateProfiler(const abi::GUID& clsid = CollectorClsid()) {
  abi::IClassFactory* factory = nullptr;
  EXPECT_EQ(FindGetClassObject()(clsid, abi::IClassFactory::kIid, reinterpret_cast<void**>(&factory)), abi::kOk);
  abi::ICorProfilerCallback11* profiler = nullptr;
  EXPECT_EQ(factory->CreateInstance(nullptr, abi::ICorProfilerCallback11::kIid, reinterpret_cast<void**>(&profiler)),
            abi::kOk);
  factory->Release();
  return profiler;
}

}  // namespace cairn::collector
