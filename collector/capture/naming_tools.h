#pragma once
// The namers of one capture, built before the pause because one of them works inside it.
// Ownership: releases its metadata interfaces when destroyed, which must be before the detach.

#include "collector/roots/com_roots.h"
#include "collector/roots/com_thread_statics.h"
#include "collector/roots/root_namer.h"
#include "collector/roots/static_finder.h"
#include "collector/types/live_types.h"

namespace cairn::collector {

struct NamingTools : LiveTypes {
  explicit NamingTools(abi::ICorProfilerInfo10* info)
      : LiveTypes(info),
        com_roots(info),
        com_thread_statics(info),
        roots(com_roots.Functions(), com_roots.Threads(), runtime.Metadata(), types, problems),
        statics(com_roots.Statics(), com_roots.Functions(), runtime.Metadata(), types, problems) {
    statics.UseThreads(roots.Threads());
  }
  // Before the pause; false: no memory.
  bool Prepare() { return roots.Prepare() && statics.Prepare(com_thread_statics, &thread_statics); }

  ComRoots com_roots;
  ComThreadStatics com_thread_statics;
  RootNamer roots;
  StaticFinder statics;
  ThreadStaticRecorder thread_statics;
};

}  // namespace cairn::collector
