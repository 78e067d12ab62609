#include "collector/capture/pause_step.h"

#include "collector/capture/api_inspector.h"
#include "collector/capture/clock.h"
#include "collector/walk/method_table.h"

namespace cairn::collector {

namespace {

// Measured on .NET 10: 6.5 ns per object with its references, 44 B per object in a heap of small ones.
constexpr double kNsPerObject = 6.5;
constexpr double kBytesPerObject = 44;

constexpr uint64_t kCheckedPerRange = 32;
constexpr uint64_t kCheckAll = 0;

constexpr uint8_t kOldestGeneration = 2;

// Before .NET 5 the ClassID of an array is not its MethodTable.
constexpr unsigned kFirstMajorWithPlainArrays = 5;

void FindArrayClasses(std::span<WalkedType> types, ObjectInspector& inspector) {
  for (WalkedType& type : types) {
    const bool is_array = !type.is_free && (type.flags & kCategoryMask) == kCategoryArray;
    if (is_array && type.objects > 0) type.class_id = inspector.ClassId(type.exemplar);
  }
}

bool IsOverLimit(const CaptureContext& capture) {
  const uint64_t limit_ns = uint64_t{capture.options.max_pause_ms} * kNsPerMs;
  return limit_ns != 0 && capture.estimated_ns > limit_ns;
}

void Walk(CaptureContext& capture, ObjectInspector& inspector) {
  const bool check_all = capture.options.self_check == protocol::SelfCheck::kFull;
  const std::span<HeapRange> ranges = capture.bounds.Ranges();
  capture.check = capture.walker->CheckSample(ranges, inspector, check_all ? kCheckAll : kCheckedPerRange);
  capture.through_api = capture.check.differences != 0;
  capture.report =
      capture.through_api ? capture.walker->WalkThroughApi(ranges, inspector) : capture.walker->Walk(ranges);
}

// In a full collection the runtime itself reports every pointer on a stack.
void TakeRoots(CaptureContext& capture) {
  RootNamer& roots = capture.naming->roots;
  roots.TakeFromPause(capture.roots.Roots());
  if (capture.tracker.Condemned() >= kOldestGeneration) return;
  for (const HeapRange& range : capture.bounds.Ranges()) {
    if (range.generation != stream::Generation::kFrozen) roots.AddHeapRange(range.start, range.start + range.length);
  }
  roots.ScanStacks();
}

PauseOutcome WalkTimed(CaptureContext& capture) {
  if (!capture.bounds.Read(capture.layout)) return PauseOutcome::kNoBounds;
  capture.estimated_ns = EstimateWalkNs(capture.bounds.Bytes());
  if (IsOverLimit(capture)) return PauseOutcome::kOverLimit;
  ApiInspector inspector(capture.runtime.info.Get());
  Walk(capture, inspector);
  if (capture.runtime.major < kFirstMajorWithPlainArrays) FindArrayClasses(capture.walker->Types(), inspector);
  capture.contexts.Keep(capture.walker->Types(), inspector, capture.runtime.handles.Get());
  TakeRoots(capture);
  return PauseOutcome::kWalked;
}

}  // namespace

uint64_t EstimateWalkNs(uint64_t heap_bytes) {
  return static_cast<uint64_t>(static_cast<double>(heap_bytes) / kBytesPerObject * kNsPerObject);
}

PauseOutcome WalkInPause(CaptureContext& capture) {
  capture.tracker.MarkWalkStarted(NowNs());
  const PauseOutcome outcome = WalkTimed(capture);
  capture.tracker.MarkWalkFinished(NowNs());
  return outcome;
}

}  // namespace cairn::collector
