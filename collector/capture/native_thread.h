#pragma once
// Detached threads of ours inside the target: named, with all signals blocked, so that no signal meant for
// the application is ever handled on them. Nothing thrown leaves them.

#include <cstddef>
#include <cstdint>

namespace cairn::collector {

// False: the system refuses another thread.
bool StartThread(const char* name, size_t stack_bytes, void (*run)(void*), void* context);

// The system's number of the calling thread. For the pause too.
uint32_t OwnThreadId();

// Lets the application go first. Only for the calling thread.
void LowerOwnPriority();

}  // namespace cairn::collector
