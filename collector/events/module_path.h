#pragma once
// Path of a module, asked for in a callback: into a caller's buffer, without allocating.
// Call-site rule: it must certainly be there during the call. Thread rule: any thread.

#include <cstddef>

#include "collector/abi/profiler_info.h"

namespace cairn::collector {

// Returns the bytes written.
size_t ModulePath(abi::ICorProfilerInfo10& info, abi::ModuleID id, char* text, size_t capacity);

}  // namespace cairn::collector
