#include "collector/runtime/runtime_library.h"

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <string_view>

namespace cairn::collector {
namespace {

constexpr std::string_view kLibrary = "libcoreclr.so";

int TakePath(dl_phdr_info* info, size_t, void* path) {
  const std::string_view name = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  const size_t slash = name.rfind('/');
  if (slash == std::string_view::npos || name.substr(slash + 1) != kLibrary) return 0;
  *static_cast<std::string*>(path) = name;
  return 1;
}

}  // namespace

// The host opens the runtime privately, so that only its own handle finds the symbol; a single-file
// application exports some itself.
void* FindRuntimeExport(const char* name) {
  std::string path;
  dl_iterate_phdr(TakePath, &path);
  if (path.empty()) return dlsym(RTLD_DEFAULT, name);
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* symbol = dlsym(library, name);
  dlclose(library);
  return symbol;
}

}  // namespace cairn::collector
