// The only two symbols that this library shows. exports.map says the same to the linker.

#include "collector/profiler/class_factory.h"
#include "collector/protocol/protocol.h"

namespace {

using namespace cairn::collector;

abi::HRESULT GetClassObject(const abi::GUID& clsid, const abi::GUID& iid, void** object) {
  static ClassFactory& main = *new ClassFactory(ProfilerPlace::kMain);
  static ClassFactory& beside = *new ClassFactory(ProfilerPlace::kBeside);
  if (clsid == abi::GuidFromBytes(cairn::protocol::kCollectorClsid)) return main.QueryInterface(iid, object);
  if (clsid == abi::GuidFromBytes(cairn::protocol::kBesideClsid)) return beside.QueryInterface(iid, object);
  return abi::kClassNotAvailable;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) abi::HRESULT CAIRN_STDCALL DllGetClassObject(const abi::GUID& clsid,
                                                                                    const abi::GUID& iid,
                                                                                    void** object) {
  try {
    return GetClassObject(clsid, iid, object);
  } catch (...) {
    return abi::kOutOfMemory;
  }
}

// Never: threads of ours may be alive. The library is linked to stay loaded anyway.
__attribute__((visibility("default"))) abi::HRESULT CAIRN_STDCALL DllCanUnloadNow() { return abi::kFalse; }

}  // extern "C"
