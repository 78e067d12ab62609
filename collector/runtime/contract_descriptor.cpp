#include "collector/runtime/contract_descriptor.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <cstring>

#include "collector/runtime/safe_memory.h"

namespace cairn::collector {
namespace {

constexpr const char* kSymbol = "DotNetRuntimeContractDescriptor";
constexpr uint64_t kMagic = 0x0043414443434E44;  // "DNCCDAC", in this machine's byte order
constexpr uint32_t kMaxText = 1u << 20;
constexpr uint32_t kMaxPointers = 1u << 12;

struct Descriptor {
  uint64_t magic;
  uint32_t flags;
  uint32_t text_size;
  uint64_t text;
  uint32_t pointer_count;
  uint32_t padding;
  uint64_t pointers;
};

int RememberRuntime(dl_phdr_info* info, size_t, void* path) {
  if (info->dlpi_name == nullptr || std::strstr(info->dlpi_name, "libcoreclr.so") == nullptr) return 0;
  *static_cast<std::string*>(path) = info->dlpi_name;
  return 1;
}

// The host opens the runtime privately, so that only its own handle finds the symbol; a single-file
// application exports it itself.
void* FindSymbol() {
  std::string path;
  dl_iterate_phdr(RememberRuntime, &path);
  if (path.empty()) return dlsym(RTLD_DEFAULT, kSymbol);
  void* runtime = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (runtime == nullptr) return nullptr;
  void* symbol = dlsym(runtime, kSymbol);
  dlclose(runtime);
  return symbol;
}

}  // namespace

ContractDescriptor ReadContractDescriptor() {
  Descriptor descriptor{};
  ContractDescriptor result;
  if (!ReadSafely(reinterpret_cast<uintptr_t>(FindSymbol()), &descriptor) || descriptor.magic != kMagic) return {};
  if (descriptor.text_size == 0 || descriptor.text_size > kMaxText) return {};
  result.text.resize(descriptor.text_size);
  if (!ReadSafely(descriptor.text, result.text.data(), result.text.size())) return {};
  if (descriptor.pointer_count > kMaxPointers) return result;
  result.pointers.resize(descriptor.pointer_count);
  if (!ReadSafely(descriptor.pointers, result.pointers.data(), result.pointers.size() * sizeof(uint64_t))) {
    result.pointers.clear();
  }
  return result;
}

}  // namespace cairn::collector
