#include "collector/capture/pause_step.h"

#include "collector/capture/api_inspector.h"
#include "collector/capture/clock.h"
#include "collector/capture/gc_tracker.h"
#include "collector/walk/method_table.h"

namespace cairn::collector {

namespace {

constexpr uint64_t kCheckedPerRange = 32;
constexpr uint64_t kCheckAll = 0;

// How much longer a walk through the profiling API takes.
constexpr uint64_t kApiTimes = 3;

// Before .NET 5 the ClassID of an array is not its MethodTable.
constexpr unsigned kFirstMajorWithPlainArrays = 5;

void FindArrayClasses(std::span<WalkedType> types, ObjectInspector& inspector) {
  for (WalkedType& type : types) {
    const bool is_array = !type.is_free && (type.flags & kCategoryMask) == kCategoryArray;
    if (is_array && type.objects > 0) type.class_id = inspector.ClassId(type.exemplar);
  }
}

void CheckLayout(CaptureContext& capture, ObjectInspector& inspector) {
  const bool check_all = capture.options.self_check == protocol::SelfCheck::kFull;
  const uint64_t per_range = check_all ? kCheckAll : kCheckedPerRange;
  capture.check = capture.pause_walk->First().CheckSample(capture.bounds.Ranges(), inspector, per_range);
  capture.through_api = capture.check.differences != 0;
}

// The collector's own threads spin while they wait for us; the calling one is among the walkers.
unsigned FreeCpus(const CaptureContext& capture) {
  const unsigned spinning = capture.gc_threads.Running();
  return capture.plan.cpus > spinning ? capture.plan.cpus - spinning : 1;
}

void EstimateWalks(CaptureContext& capture) {
  const WalkSize size{capture.check.expected_objects, capture.check.expected_slots, capture.plan.budget.resident};
  const unsigned worthwhile = WorthwhileThreads(capture.plan.constants, size, FreeCpus(capture));
  capture.pause_walk->UseThreads(worthwhile);
  const bool count_first = capture.has_collectible_types && !capture.contexts.FoundAll();
  capture.estimate = Estimate(capture.plan.constants, size, capture.pause_walk->Threads(), count_first);
  if (capture.through_api) capture.estimate.pause_ns *= kApiTimes;
}

WalkChoice ChooseWalk(const CaptureContext& capture) {
  const uint64_t limit_ns = uint64_t{capture.options.max_pause_ms} * kNsPerMs;
  // Only the runtime itself can read such a heap, and it is not there in a child.
  if (capture.through_api) return Choose(capture.estimate, protocol::WalkMethod::kPause, false, limit_ns);
  return Choose(capture.estimate, capture.options.method, capture.fork_walk != nullptr, limit_ns);
}

// So that a fork need not count the types first.
void FindContexts(CaptureContext& capture) {
  if (capture.fork_walk == nullptr || !capture.has_collectible_types || capture.through_api) return;
  capture.contexts.FindAll(capture.layout, capture.roots.Roots(), capture.pause_walk->First().Types());
}

// A read-only copy of the process; types that may be unloaded are asked about before, or kept loaded.
bool Fork(CaptureContext& capture, ObjectInspector& inspector) {
  ForkWalk& walk = *capture.fork_walk;
  const std::span<HeapRange> ranges = capture.bounds.Ranges();
  if (capture.contexts.FoundAll()) {
    capture.contexts.KeepFound(capture.runtime.handles.Get());
    walk.AssignContexts(capture.contexts);
  } else if (capture.has_collectible_types) {
    if (!walk.CountTypes(ranges, capture.report)) return false;
    capture.contexts.Keep(walk.CountedTypes(), inspector, capture.runtime.handles.Get());
  }
  if (!walk.Run(ranges, capture.report)) return false;
  capture.walk = &walk;
  return true;
}

bool WalkHere(CaptureContext& capture, ObjectInspector& inspector) {
  PauseWalk& walk = *capture.pause_walk;
  const std::span<HeapRange> ranges = capture.bounds.Ranges();
  if (capture.through_api) {
    walk.RunThroughApi(ranges, inspector, capture.report);
  } else if (!walk.Run(ranges, capture.report)) {
    return false;
  }
  walk.ForEachTypes([&](std::span<WalkedType> types) {
    if (capture.runtime.major < kFirstMajorWithPlainArrays) FindArrayClasses(types, inspector);
    capture.contexts.Keep(types, inspector, capture.runtime.handles.Get());
  });
  capture.walk = &walk;
  return true;
}

PauseOutcome WalkOneWay(CaptureContext& capture, ObjectInspector& inspector) {
  const WalkChoice choice = ChooseWalk(capture);
  if (choice == WalkChoice::kNeitherInTime) return PauseOutcome::kOverLimit;
  const bool only_fork = capture.options.method == protocol::WalkMethod::kFork && !capture.through_api;
  if (choice == WalkChoice::kFork && Fork(capture, inspector)) return PauseOutcome::kWalked;
  if (only_fork) return PauseOutcome::kForkFailed;
  if (WalkHere(capture, inspector)) return PauseOutcome::kWalked;
  // The spool was too small, and the application still stands.
  const bool may_fork = choice == WalkChoice::kPause && capture.fork_walk != nullptr;
  return may_fork && Fork(capture, inspector) ? PauseOutcome::kWalked : PauseOutcome::kSpoolFull;
}

// In a full collection the runtime itself reports every pointer on a stack.
void TakeRoots(CaptureContext& capture) {
  RootNamer& roots = capture.naming->roots;
  roots.TakeFromPause(capture.roots.Roots());
  capture.naming->thread_statics.Record(capture.naming->com_thread_statics);
  if (capture.tracker.Condemned() >= kOldestGeneration) return;
  for (const HeapRange& range : capture.bounds.Ranges()) {
    if (range.generation != stream::Generation::kFrozen) roots.AddHeapRange(range.start, range.start + range.length);
  }
  roots.ScanStacks();
}

PauseOutcome WalkTimed(CaptureContext& capture) {
  if (!capture.bounds.Read(capture.layout)) return PauseOutcome::kNoBounds;
  ApiInspector inspector(capture.runtime.info.Get());
  CheckLayout(capture, inspector);
  FindContexts(capture);
  EstimateWalks(capture);
  const PauseOutcome outcome = WalkOneWay(capture, inspector);
  if (outcome == PauseOutcome::kWalked) TakeRoots(capture);
  return outcome;
}

}  // namespace

PauseOutcome WalkInPause(CaptureContext& capture) {
  capture.tracker.MarkWalkStarted(NowNs());
  const PauseOutcome outcome = WalkTimed(capture);
  capture.tracker.MarkWalkFinished(NowNs());
  return outcome;
}

}  // namespace cairn::collector
