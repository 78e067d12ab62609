#pragma once
// The class factory that DllGetClassObject hands out: it gives the profiler object of one place in the runtime.
// Ownership: in static storage, never destroyed; references are counted for nobody.

#include "collector/abi/com.h"
#include "collector/profiler/profiler.h"

namespace cairn::collector {

class ClassFactory final : public abi::IClassFactory {
 public:
  explicit ClassFactory(ProfilerPlace place) : place_(place) {}

  abi::HRESULT CAIRN_STDCALL QueryInterface(const abi::GUID& iid, void** object) override;
  uint32_t CAIRN_STDCALL AddRef() override { return 1; }
  uint32_t CAIRN_STDCALL Release() override { return 1; }
  abi::HRESULT CAIRN_STDCALL CreateInstance(abi::IUnknown* outer, const abi::GUID& iid, void** object) override;
  abi::HRESULT CAIRN_STDCALL LockServer(abi::Bool) override { return abi::kOk; }

 private:
  ProfilerPlace place_;
};

}  // namespace cairn::collector
