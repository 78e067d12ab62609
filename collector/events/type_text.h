#pragma once
// Name of a class and path of a module, asked for in a callback: into a caller's buffer, without allocating.
// Call-site rule: both must certainly be there during the call. Thread rule: any thread.

#include <cstddef>

#include "collector/abi/profiler_info.h"

namespace cairn::collector {

// "Shop.Cache+Entry[]", generic arguments left out: "Shop.Cache`2". Returns the bytes written.
size_t ClassText(abi::ICorProfilerInfo10& info, abi::ClassID id, char* text, size_t capacity);
size_t ModulePath(abi::ICorProfilerInfo10& info, abi::ModuleID id, char* text, size_t capacity);

}  // namespace cairn::collector
