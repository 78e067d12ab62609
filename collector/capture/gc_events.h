#pragma once
// The event session of a capture, and the two GC events it is there for. They are delivered on the GC's own
// thread, inside the pause.

#include <cstdint>
#include <span>

#include "collector/abi/profiler_info.h"

namespace cairn::collector {

inline constexpr uint32_t kGcHeapStatsEvent = 4;
inline constexpr uint32_t kGcDynamicEvent = 39;
inline constexpr uint32_t kGcRootEdgesEvent = 16;
inline constexpr uint32_t kGcDependentsEvent = 17;
inline constexpr uint32_t kGcGlobalHeapHistoryEvent = 205;  // after mark and compact, before the root walk

class GcEventSession {
 public:
  // Outside callbacks, not inside a collection. False: refused. `with_roots`: a forced collection also tells its
  // roots, and, which cannot be had apart, every object and reference, at 30 to 50 ns each.
  bool Start(abi::ICorProfilerInfo12* info, bool with_roots);
  // Beside a session that is there already and has the rest: roots only.
  bool StartRootsOnly(abi::ICorProfilerInfo12* info);
  // Also where each collection moves objects, and what survives it.
  bool StartWithMovement(abi::ICorProfilerInfo12* info);
  // A session that is left open goes on after the detach: always stop it before.
  void Stop(abi::ICorProfilerInfo12* info);

 private:
  bool StartWith(abi::ICorProfilerInfo12* info, uint64_t keywords);

  abi::EventPipeSession session_ = 0;
};

// Sum of the generations' sizes in a GCHeapStats payload. False: shorter than its version has it.
bool HeapStatsBytes(uint32_t version, std::span<const uint8_t> payload, uint64_t* bytes);

// GCDynamic: what the GC holds committed, bookkeeping included. False: it is about something else.
bool CommittedBytes(std::span<const uint8_t> payload, uint64_t* bytes);
// The generation a GCGlobalHeapHistory payload is about. False: shorter than that.
bool CondemnedGeneration(std::span<const uint8_t> payload, uint8_t* generation);

}  // namespace cairn::collector
