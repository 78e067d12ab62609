#include "collector/runtime/runtime_library.h"

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <string_view>

namespace cairn::collector {
namespace {

constexpr std::string_view kLibrary = "libcoreclr.so";

struct Found {
  std::string path;
  unsigned count = 0;
};

int TakePath(dl_phdr_info* info, size_t, void* found) {
  const std::string_view name = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  const size_t slash = name.rfind('/');
  if (slash == std::string_view::npos || name.substr(slash + 1) != kLibrary) return 0;
  static_cast<Found*>(found)->path = name;
  ++static_cast<Found*>(found)->count;
  return 0;
}

}  // namespace

// The host opens the runtime privately, so that only its own handle finds the symbol; a single-file
// application exports some itself. Of a process with several runtimes nobody knows which one is meant, and what belongs
// to another would be worse than nothing.
void* FindRuntimeExport(const char* name) {
  Found found;
  dl_iterate_phdr(TakePath, &found);
  if (found.count == 0) return dlsym(RTLD_DEFAULT, name);
  if (found.count > 1) return nullptr;
  void* library = dlopen(found.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* symbol = dlsym(library, name);
  dlclose(library);
  return symbol;
}

}  // namespace cairn::collector
