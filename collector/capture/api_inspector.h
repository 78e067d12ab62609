#pragma once
// ObjectInspector over the profiling API.
// Call-site rule: only while the runtime is suspended inside GarbageCollectionFinished.

#include <cstdint>

#include "collector/abi/profiler_info.h"
#include "collector/walk/heap_walker.h"

namespace cairn::collector {

class ApiInspector final : public ObjectInspector {
 public:
  // `info` is observed.
  explicit ApiInspector(abi::ICorProfilerInfo10* info) : info_(info) {}

  uint64_t Size(uint64_t object) override;
  uint64_t ClassId(uint64_t object) override;
  bool References(uint64_t object, Visit visit, void* context) override;

 private:
  abi::ICorProfilerInfo10* info_;
};

}  // namespace cairn::collector
