// The other profiler of the end-to-end tests: loads at start, watches collections, does nothing.

#include "collector/abi/callback_base.h"
#include "collector/abi/masks.h"
#include "collector/abi/profiler_info.h"

namespace cairn::e2e {
namespace {

using namespace cairn::collector::abi;  // NOLINT: this file is one small COM object

class FakeProfiler final : public CallbackBase {
 public:
  HRESULT CAIRN_STDCALL Initialize(IUnknown* runtime) override {
    info_ = ComPtr<ICorProfilerInfo5>::From(runtime);
    return info_ ? info_->SetEventMask2(kMonitorNone, kHighBasicGc) : kNoInterface;
  }

 private:
  ComPtr<ICorProfilerInfo5> info_;
};

class Factory final : public IClassFactory {
 public:
  HRESULT CAIRN_STDCALL QueryInterface(const GUID& iid, void** object) override {
    if (iid != IUnknown::kIid && iid != IClassFactory::kIid) return kNoInterface;
    *object = this;
    return kOk;
  }
  uint32_t CAIRN_STDCALL AddRef() override { return 1; }
  uint32_t CAIRN_STDCALL Release() override { return 1; }
  HRESULT CAIRN_STDCALL CreateInstance(IUnknown*, const GUID& iid, void** object) override {
    static FakeProfiler* const profiler = new FakeProfiler;  // lives as long as the process
    return profiler->QueryInterface(iid, object);
  }
  HRESULT CAIRN_STDCALL LockServer(Bool) override { return kOk; }
};

}  // namespace
}  // namespace cairn::e2e

extern "C" __attribute__((visibility("default"))) cairn::collector::abi::HRESULT DllGetClassObject(
    const cairn::collector::abi::GUID&, const cairn::collector::abi::GUID& iid, void** object) {
  static cairn::e2e::Factory factory;
  return factory.QueryInterface(iid, object);
}
