#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <cwchar>

#include "collector/roots/thread_name.h"
#include "collector/types/utf16.h"

namespace cairn::collector {
namespace {

using GetDescription = HRESULT(WINAPI*)(HANDLE thread, PWSTR* text);

// Since Windows 10, so it is looked for and not linked.
GetDescription FindGetDescription() {
  const HMODULE library = GetModuleHandleW(L"kernelbase.dll");
  if (library == nullptr) return nullptr;
  void* function = reinterpret_cast<void*>(GetProcAddress(library, "GetThreadDescription"));
  return reinterpret_cast<GetDescription>(function);
}

}  // namespace

std::string ThreadName(uint32_t os_id) {
  const GetDescription get = FindGetDescription();
  const HANDLE thread = get == nullptr ? nullptr : OpenThread(THREAD_QUERY_LIMITED_INFORMATION, FALSE, os_id);
  if (thread == nullptr) return {};
  PWSTR text = nullptr;
  std::string name;
  if (get(thread, &text) >= 0 && text != nullptr) name = ToUtf8(text, std::wcslen(text));
  LocalFree(text);
  CloseHandle(thread);
  return name;
}

}  // namespace cairn::collector
