#pragma once
// What names the types of the running runtime: the two sources behind COM, what is sent beside the names, the namer.
// Remembers what it was told of every module, so it is good until the next one goes.
// Ownership: releases its metadata interfaces when destroyed, which must be before the detach.

#include "collector/types/com_runtime.h"
#include "collector/types/module_table.h"
#include "collector/types/problem_list.h"
#include "collector/types/type_namer.h"

namespace cairn::collector {

struct LiveTypes {
  explicit LiveTypes(abi::ICorProfilerInfo10* info)
      : runtime(info), modules(runtime.Metadata()), types(runtime.Metadata(), runtime.Classes(), modules, problems) {}

  ComRuntime runtime;
  ModuleTable modules;
  ProblemList problems;
  TypeNamer types;
};

}  // namespace cairn::collector
