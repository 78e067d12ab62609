#pragma once
// What a walk is given and what it says of its work. Plain data, freestanding.

#include <cstddef>
#include <cstdint>

#include "snapshot-format/stream/kinds.h"

namespace cairn::collector {

struct HeapRange {
  // Given by the caller.
  uint64_t start = 0;
  uint64_t length = 0;  // a frozen range that ends in memory not yet used is cut to what is used
  uint64_t reserved = 0;
  stream::Generation generation{};
  uint32_t alignment = 8;
  // Filled by the walk. Sizes are bytes occupied, padding included.
  uint64_t objects = 0, bytes = 0, free_objects = 0, free_bytes = 0, largest_free = 0, edges = 0;
  uint64_t walked = 0;  // equals length when the range ended exactly
};

enum class WalkFault : uint8_t {
  kNone = 0,
  kZeroMethodTable,  // not in the NonGC heap, where it ends the range
  kUnreadableMethodTable,
  kImplausibleMethodTable,
  kImplausibleGcDesc,
  kOverrun,  // an object reaches beyond its range
  kSpoolFull,
  kTooManyTypes,
};
const char* FaultCode(WalkFault fault);      // "walk.zero_method_table" …
const char* FaultSentence(WalkFault fault);  // what it means

struct WalkProblem {
  WalkFault fault{};
  uint32_t range = 0;
  uint64_t address = 0;  // of the object
  uint64_t value = 0;    // the MethodTable; of an overrun: the size; of a full spool: the bytes that did not fit
};

struct WalkReport {
  uint64_t objects = 0, bytes = 0, free_objects = 0, free_bytes = 0, edges = 0, chunks = 0;
  static constexpr size_t kMaxProblems = 64;
  WalkProblem problems[kMaxProblems];
  uint64_t problem_count = 0;  // may be larger than kMaxProblems

  void Add(const WalkProblem& problem) {
    if (problem_count < kMaxProblems) problems[problem_count] = problem;
    ++problem_count;
  }
};

struct CheckReport {
  uint64_t objects = 0;  // compared
  uint64_t differences = 0;
  uint64_t first_object = 0;    // address of the first difference
  const char* first_what = "";  // "type", "size", "class", "references"
  // What the checked objects say of all ranges: each range goes on as it begins.
  uint64_t expected_objects = 0, expected_slots = 0;

  void Differ(uint64_t object, const char* what) {
    if (differences == 0) {
      first_object = object;
      first_what = what;
    }
    ++differences;
  }
};

}  // namespace cairn::collector
