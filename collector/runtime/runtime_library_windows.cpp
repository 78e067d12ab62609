#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "collector/runtime/runtime_library.h"

namespace cairn::collector {

// In a single-file application the runtime is part of the program.
void* FindRuntimeExport(const char* name) {
  HMODULE library = GetModuleHandleW(L"coreclr.dll");
  if (library == nullptr) library = GetModuleHandleW(nullptr);
  return library == nullptr ? nullptr : reinterpret_cast<void*>(GetProcAddress(library, name));
}

}  // namespace cairn::collector
