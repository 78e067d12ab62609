#include "collector/profiler/class_factory.h"

namespace cairn::collector {

abi::HRESULT ClassFactory::QueryInterface(const abi::GUID& iid, void** object) {
  if (object == nullptr) return abi::kPointer;
  const bool known = iid == abi::IUnknown::kIid || iid == abi::IClassFactory::kIid;
  *object = known ? static_cast<abi::IClassFactory*>(this) : nullptr;
  return known ? abi::kOk : abi::kNoInterface;
}

abi::HRESULT ClassFactory::CreateInstance(abi::IUnknown* outer, const abi::GUID& iid, void** object) {
  if (object == nullptr) return abi::kPointer;
  if (outer != nullptr) return abi::kInvalidArgument;
  try {
    Profiler& profiler = Profiler::Take(place_);
    profiler.AddRef();
    const abi::HRESULT result = profiler.QueryInterface(iid, object);
    profiler.Release();
    return result;
  } catch (...) {
    return abi::kOutOfMemory;
  }
}

}  // namespace cairn::collector
