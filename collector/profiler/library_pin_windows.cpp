#define WIN32_LEAN_AND_MEAN
#include <windows.h>

// Threads of ours outlive a detach, so the library stays loaded once loaded.
extern "C" BOOL WINAPI DllMain(HINSTANCE library, DWORD reason, void*) {
  constexpr DWORD kFlags = GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS;
  HMODULE pinned = nullptr;
  if (reason != DLL_PROCESS_ATTACH) return TRUE;
  return GetModuleHandleExW(kFlags, reinterpret_cast<LPCWSTR>(library), &pinned);
}
