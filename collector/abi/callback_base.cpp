#include "collector/abi/callback_base.h"

namespace cairn::collector::abi {
namespace {

// Every interface of the callback chain: one object, one vtable, one pointer.
constexpr GUID kAnswered[] = {
    IUnknown::kIid,
    ICorProfilerCallback::kIid,
    ICorProfilerCallback2::kIid,
    ICorProfilerCallback3::kIid,
    ICorProfilerCallback4::kIid,
    ICorProfilerCallback5::kIid,
    ICorProfilerCallback6::kIid,
    ICorProfilerCallback7::kIid,
    ICorProfilerCallback8::kIid,
    ICorProfilerCallback9::kIid,
    ICorProfilerCallback10::kIid,
    ICorProfilerCallback11::kIid,
};

bool IsAnswered(const GUID& iid) {
  for (const GUID& known : kAnswered) {
    if (known == iid) return true;
  }
  return false;
}

}  // namespace

HRESULT CallbackBase::QueryInterface(const GUID& iid, void** object) {
  if (object == nullptr) return kPointer;
  *object = IsAnswered(iid) ? static_cast<ICorProfilerCallback11*>(this) : nullptr;
  if (*object == nullptr) return kNoInterface;
  AddRef();
  return kOk;
}

uint32_t CallbackBase::AddRef() { return references_.fetch_add(1, std::memory_order_relaxed) + 1; }

uint32_t CallbackBase::Release() {
  const uint32_t left = references_.fetch_sub(1, std::memory_order_acq_rel) - 1;
  if (left == 0) OnLastRelease();
  return left;
}

}  // namespace cairn::collector::abi
