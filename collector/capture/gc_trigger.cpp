#include "collector/capture/gc_trigger.h"

#include "collector/capture/clock.h"

namespace cairn::collector {

namespace {

constexpr int kSliceMs = 2;
// A request that meets a collection under way may be answered by that one, which began before we were ready.
constexpr int kInduceTries = 3;

// A collection that has begun is not given up for the clock.
void AwaitNatural(const GcTrigger::Progress& progress, uint32_t milliseconds) {
  const uint64_t end = NowNs() + uint64_t{milliseconds} * kNsPerMs;
  while (progress.Wanted() && (progress.Collecting() || NowNs() < end)) SleepMs(kSliceMs);
}

}  // namespace

bool WantsYoung(const protocol::Options& options) {
  return options.light == 0 && options.gc == protocol::GcRequest::kYoung;
}

void GcTrigger::Prepare() {
  if (WantsYoung(options_)) can_induce_ = inducer_.Prepare();
}

uint32_t GcTrigger::NaturalWaitMs(const protocol::Options& options, bool can_induce) {
  if (options.wait_natural_ms != 0) return options.wait_natural_ms;
  return can_induce ? 0 : kDefaultNaturalWaitMs;
}

TriggerOutcome GcTrigger::Collect(abi::ICorProfilerInfo10& runtime, const Progress& progress) {
  return WantsYoung(options_) ? Young(progress) : Full(runtime, progress);
}

TriggerOutcome GcTrigger::Force(abi::ICorProfilerInfo10& runtime) {
  has_forced_ = true;
  force_result_ = runtime.ForceGC();
  return abi::Succeeded(force_result_) ? TriggerOutcome::kReturned : TriggerOutcome::kRefused;
}

TriggerOutcome GcTrigger::Full(abi::ICorProfilerInfo10& runtime, const Progress& progress) {
  TriggerOutcome outcome = Force(runtime);
  for (int tries = 1; tries < kInduceTries && outcome == TriggerOutcome::kReturned && progress.Wanted(); ++tries)
    outcome = Force(runtime);
  return outcome;
}

TriggerOutcome GcTrigger::Young(const Progress& progress) {
  AwaitNatural(progress, NaturalWaitMs(options_, can_induce_));
  for (int tries = 0; can_induce_ && tries < kInduceTries && progress.Wanted(); ++tries) {
    inducer_.CollectGeneration0();
    AwaitNatural(progress, 0);
  }
  return progress.Wanted() && !can_induce_ ? TriggerOutcome::kNoneNatural : TriggerOutcome::kReturned;
}

}  // namespace cairn::collector
