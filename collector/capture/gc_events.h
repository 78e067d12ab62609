#pragma once
// The event session of a capture, and the two GC events it is there for. They are delivered on the GC's own
// thread, inside the pause.

#include <cstdint>
#include <span>

#include "collector/abi/profiler_info.h"

namespace cairn::collector {

inline constexpr uint32_t kGcHeapStatsEvent = 4;
inline constexpr uint32_t kGcGlobalHeapHistoryEvent = 205;  // after mark and compact, before the root walk

class GcEventSession {
 public:
  // Outside callbacks, not inside a collection. False: refused.
  bool Start(abi::ICorProfilerInfo12* info);
  // A session that is left open goes on after the detach: always stop it before.
  void Stop(abi::ICorProfilerInfo12* info);

 private:
  abi::EventPipeSession session_ = 0;
};

// Sum of the generations' sizes in a GCHeapStats payload. False: shorter than its version has it.
bool HeapStatsBytes(uint32_t version, std::span<const uint8_t> payload, uint64_t* bytes);

}  // namespace cairn::collector
