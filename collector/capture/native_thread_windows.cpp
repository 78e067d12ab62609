#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// Needs what the line above declares.
#include <process.h>

#include <new>

#include "collector/capture/native_thread.h"

namespace cairn::collector {

namespace {

struct Start {
  void (*run)(void*);
  void* context;
};

unsigned __stdcall Enter(void* argument) {
  const Start start = *static_cast<Start*>(argument);
  delete static_cast<Start*>(argument);
  try {
    start.run(start.context);
  } catch (...) {
    // The work reports its own failures; this edge only keeps them out of the runtime.
  }
  return 0;
}

}  // namespace

// A name would be one more function that older systems lack. The stack's size is address space, not memory.
bool StartThread(const char*, size_t stack_bytes, void (*run)(void*), void* context) {
  auto* start = new (std::nothrow) Start{run, context};
  if (start == nullptr) return false;
  const auto size = static_cast<unsigned>(stack_bytes);
  const uintptr_t thread = _beginthreadex(nullptr, size, Enter, start, STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
  if (thread == 0) delete start;
  if (thread != 0) CloseHandle(reinterpret_cast<HANDLE>(thread));
  return thread != 0;
}

uint32_t OwnThreadId() { return GetCurrentThreadId(); }

void LowerOwnPriority() { SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL); }

}  // namespace cairn::collector
