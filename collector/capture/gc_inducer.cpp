#include "collector/capture/gc_inducer.h"

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <string_view>

#include "collector/abi/com.h"

namespace cairn::collector {

namespace {

constexpr std::string_view kRuntimeLibrary = "libcoreclr.so";
constexpr abi::GUID kRuntimeHostIid = {0x64F6D366, 0xD7C2, 0x4F1F, {0xB4, 0xB2, 0xE8, 0x16, 0x0C, 0xAC, 0x43, 0xAF}};
constexpr uint32_t kOnlyDomain = 1;
constexpr int32_t kBlocking = 2;

using GetRuntimeHost = abi::HRESULT (*)(const abi::GUID& iid, abi::IUnknown** host);
using CreateDelegate = int (*)(void* host, uint32_t domain, const char* assembly, const char* type, const char* method,
                               void** delegate);

int TakeRuntimePath(dl_phdr_info* info, size_t, void* path) {
  const std::string_view name = info->dlpi_name;
  const size_t slash = name.rfind('/');
  if (slash == std::string_view::npos || name.substr(slash + 1) != kRuntimeLibrary) return 0;
  *static_cast<std::string*>(path) = name;
  return 1;
}

// A library that is there already: counted once more while this lives, never loaded.
class RuntimeLibrary {
 public:
  RuntimeLibrary() {
    std::string path;
    dl_iterate_phdr(TakeRuntimePath, &path);
    if (!path.empty()) handle_ = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  }
  ~RuntimeLibrary() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  RuntimeLibrary(const RuntimeLibrary&) = delete;
  RuntimeLibrary& operator=(const RuntimeLibrary&) = delete;

  template <class Function>
  Function Find(const char* name) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(handle_, name));
  }

 private:
  void* handle_ = nullptr;
};

}  // namespace

// The method is looked up and its entry made here, so that nothing is loaded once a collection is awaited.
bool HostedGcInducer::Prepare() {
  const RuntimeLibrary library;
  const auto get_host = library.Find<GetRuntimeHost>("GetCLRRuntimeHost");
  const auto create_delegate = library.Find<CreateDelegate>("coreclr_create_delegate");
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
