#pragma once
// MetadataSource and ClassSource over the profiling API. The only file of this room that makes COM calls.
// Caches one importer per module; releases them when destroyed. Thread rule: one thread.

#include <memory>

#include "collector/types/runtime_source.h"

namespace cairn::collector {

namespace abi {
class ICorProfilerInfo10;
}

class ComRuntime {
 public:
  // `info` is observed and must outlive this object.
  explicit ComRuntime(abi::ICorProfilerInfo10* info);
  ~ComRuntime();
  ComRuntime(const ComRuntime&) = delete;
  ComRuntime& operator=(const ComRuntime&) = delete;

  MetadataSource& Metadata();
  ClassSource& Classes();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cairn::collector
