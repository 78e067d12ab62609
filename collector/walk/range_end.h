#pragma once
// How the walk of one range ends, whichever way its objects were read.

#include "collector/walk/spool_writer.h"
#include "collector/walk/type_table.h"
#include "collector/walk/walk_report.h"

namespace cairn::collector {

// Fills `range.walked` and `range.bytes`; returns the fault that counts.
inline WalkFault CloseRange(HeapRange& range, WalkFault fault, uint64_t at) {
  range.walked = at - range.start;
  range.bytes = range.walked - range.free_bytes;  // there is nothing else in a range
  if (fault == WalkFault::kZeroMethodTable && range.generation == stream::Generation::kFrozen) {
    // An allocation in the NonGC heap may be going on: what follows is not an object yet.
    range.length = range.walked;
    return WalkFault::kNone;
  }
  return fault;
}

// The same, and writes the last chunk and fills `problem`.
inline WalkFault EndRange(SpoolWriter& spool, HeapRange& range, WalkFault fault, uint64_t at, uint64_t value,
                          WalkProblem& problem) {
  fault = CloseRange(range, fault, at);
  if (fault != WalkFault::kSpoolFull && !spool.Flush()) fault = WalkFault::kSpoolFull;
  problem.fault = fault;
  problem.address = at;
  problem.value = fault == WalkFault::kSpoolFull ? spool.BytesMissing() : value;
  return fault;
}

inline void CountObject(HotType& type, uint64_t bytes) {
  ++type.objects;
  type.bytes += bytes;
}

inline void CountFree(HeapRange& range, uint64_t bytes) {
  ++range.free_objects;
  range.free_bytes += bytes;
  if (bytes > range.largest_free) range.largest_free = bytes;
}

}  // namespace cairn::collector
