#pragma once
// Everything the collector refuses, in words. PROTOCOL.md lists the same codes; a test compares the two.

#include <cstddef>

namespace cairn::collector {

struct Refusal {
  const char* code;
  const char* message;
  const char* hint;
};

extern const Refusal kNoneNatural;
extern const Refusal kLightNotAvailable;
extern const Refusal kBesideOldRuntime;
extern const Refusal kBesideYoung;
extern const Refusal kLightLoadContexts;
extern const Refusal kResidentYoung;
extern const Refusal kResidentLoadContexts;
extern const Refusal kTrackLoadContexts;
extern const Refusal kTrackOldRuntime;
extern const Refusal kTrackBeside;
extern const Refusal kObserveOldRuntime;
extern const Refusal kObserveBeside;
extern const Refusal kObserveRefused;
extern const Refusal kObserveStays;
extern const Refusal kObserveNoControl;
extern const Refusal kMethodsPattern;
extern const Refusal kMethodsNone;
extern const Refusal kMethodsTooMany;
extern const Refusal kMethodsNotTraceable;
extern const Refusal kMethodsBusy;
extern const Refusal kMethodsLoadContexts;
extern const Refusal kForkOldRuntime;
extern const Refusal kForkHugePages;
extern const Refusal kForkStrictOvercommit;
extern const Refusal kForkOomGroup;
extern const Refusal kForkMemory;
extern const Refusal kForkFailed;
extern const Refusal kForkNoWait;
extern const Refusal kForkChildDied;
extern const Refusal kSpoolFull;
extern const Refusal kBusy;
extern const Refusal kRuntimeTooOld;
extern const Refusal kMemoryLimit;
extern const Refusal kMemoryRefused;
extern const Refusal kNoThread;
extern const Refusal kNoDescriptors;
extern const Refusal kPauseOverLimit;
extern const Refusal kGcTimeout;
extern const Refusal kGcRefused;
extern const Refusal kGcMissed;
extern const Refusal kNoRoots;
extern const Refusal kNoBounds;
extern const Refusal kInternal;

extern const Refusal* const kAllRefusals[];
extern const size_t kRefusalCount;

}  // namespace cairn::collector
