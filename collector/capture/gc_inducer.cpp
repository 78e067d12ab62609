#include "collector/capture/gc_inducer.h"

#include "collector/abi/com.h"
#include "collector/runtime/runtime_library.h"

namespace cairn::collector {

namespace {

constexpr abi::GUID kRuntimeHostIid = {0x64F6D366, 0xD7C2, 0x4F1F, {0xB4, 0xB2, 0xE8, 0x16, 0x0C, 0xAC, 0x43, 0xAF}};
constexpr uint32_t kOnlyDomain = 1;
constexpr int32_t kBlocking = 2;

using GetRuntimeHost = abi::HRESULT(CAIRN_STDCALL*)(const abi::GUID& iid, abi::IUnknown** host);
using CreateDelegate = int(CAIRN_STDCALL*)(void* host, uint32_t domain, const char* assembly, const char* type,
                                           const char* method, void** delegate);

template <class Function>
Function FindExport(const char* name) {
  return reinterpret_cast<Function>(FindRuntimeExport(name));
}

}  // namespace

// The method is looked up and its entry made here, so that nothing is loaded once a collection is awaited.
bool HostedGcInducer::Prepare() {
  const auto get_host = FindExport<GetRuntimeHost>("GetCLRRuntimeHost");
  const auto create_delegate = FindExport<CreateDelegate>("coreclr_create_delegate");
  if (get_host == nullptr || create_delegate == nullptr) return false;
  abi::IUnknown* host = nullptr;
  if (abi::Failed(get_host(kRuntimeHostIid, &host)) || host == nullptr) return false;
  void* method = nullptr;
  const bool made = create_delegate(host, kOnlyDomain, "System.Private.CoreLib", "System.GC", "_Collect", &method) >= 0;
  host->Release();
  if (made) collect_ = reinterpret_cast<CollectMethod>(method);
  return collect_ != nullptr;
}

void HostedGcInducer::CollectGeneration0() { collect_(0, kBlocking, 0); }

}  // namespace cairn::collector
