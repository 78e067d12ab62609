#pragma once
// FunctionSource, StaticSource and ThreadSource over the profiling API. The only file of this room that makes
// COM calls. Thread rule: one thread at a time; UnsafeName in the pause, the rest after it.

#include <memory>

#include "collector/roots/root_namer.h"
#include "collector/roots/static_finder.h"
#include "collector/roots/thread_table.h"

namespace cairn::collector {

namespace abi {
class ICorProfilerInfo10;
}

class ComRoots {
 public:
  // `info` is observed and must outlive this object.
  explicit ComRoots(abi::ICorProfilerInfo10* info);
  ~ComRoots();
  ComRoots(const ComRoots&) = delete;
  ComRoots& operator=(const ComRoots&) = delete;

  FunctionSource& Functions();
  StaticSource& Statics();
  ThreadSource& Threads();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cairn::collector
