#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "collector/roots/stack_bounds.h"

namespace cairn::collector {
namespace {

#if defined(_M_IX86) || defined(__i386__)
uint64_t StackPointerIn(const CONTEXT& registers) { return registers.Esp; }
#else
uint64_t StackPointerIn(const CONTEXT& registers) { return registers.Rsp; }
#endif

}  // namespace

bool StackBounds::Prepare() { return true; }

// A thread cannot be looked at without stopping it for a moment.
uint64_t StackBounds::PointerOf(uint32_t os_id) {
  if (os_id == GetCurrentThreadId()) return 0;
  const HANDLE thread = OpenThread(THREAD_GET_CONTEXT | THREAD_SUSPEND_RESUME, FALSE, os_id);
  if (thread == nullptr) return 0;
  CONTEXT registers{};
  registers.ContextFlags = CONTEXT_CONTROL;
  const bool stopped = SuspendThread(thread) != static_cast<DWORD>(-1);
  const bool known = stopped && GetThreadContext(thread, &registers) != 0;
  if (stopped) ResumeThread(thread);
  CloseHandle(thread);
  return known ? StackPointerIn(registers) : 0;
}

// What is used of a stack is one region of pages, up to its end.
uint64_t StackBounds::EndOf(uint64_t address) {
  MEMORY_BASIC_INFORMATION region;
  if (address > UINTPTR_MAX) return 0;
  const auto* at = reinterpret_cast<const void*>(static_cast<uintptr_t>(address));
  if (VirtualQuery(at, &region, sizeof region) == 0 || region.State != MEM_COMMIT) return 0;
  return reinterpret_cast<uintptr_t>(region.BaseAddress) + uint64_t{region.RegionSize};
}

}  // namespace cairn::collector
