#pragma once
// Brings about the collection that a capture takes: which way, how often, for how long. It is told through
// `Wanted` whether one is still missing; what a collection is worth is the tracker's and the state machine's
// affair.
// Thread rule: everything on the capture thread, outside callbacks.

#include <cstdint>

#include "collector/abi/profiler_info.h"
#include "collector/capture/gc_inducer.h"
#include "collector/protocol/protocol.h"

namespace cairn::collector {

// The collection the options ask for. --light takes a full one.
bool WantsYoung(const protocol::Options& options);

enum class TriggerOutcome : uint8_t {
  kReturned,     // a collection came or was made, or is not wanted any more
  kRefused,      // the runtime said no
  kNoneNatural,  // none came by itself, and none can be made
};

class GcTrigger {
 public:
  // How long a young collection of the application's own is awaited where none can be made. A process that
  // allocates nothing never makes one.
  static constexpr uint32_t kDefaultNaturalWaitMs = 3000;

  class Progress {
   public:
    virtual ~Progress() = default;
    // False as soon as a collection is being walked, was walked, or is no longer awaited.
    virtual bool Wanted() const = 0;
    // A fitting collection is under way.
    virtual bool Collecting() const = 0;
  };

  GcTrigger(const protocol::Options& options, GcInducer& inducer) : options_(options), inducer_(inducer) {}

  // After the mask was set and before a collection is awaited.
  void Prepare();
  // Longer than this no natural collection is awaited.
  static uint32_t NaturalWaitMs(const protocol::Options& options, bool can_induce);

  TriggerOutcome Collect(abi::ICorProfilerInfo10& runtime, const Progress& progress);
  // ForceGC was called, whatever it answered.
  bool HasForced() const { return has_forced_; }
  // What the runtime answered to it.
  abi::HRESULT ForceResult() const { return force_result_; }

 private:
  TriggerOutcome Force(abi::ICorProfilerInfo10& runtime);
  TriggerOutcome Full(abi::ICorProfilerInfo10& runtime, const Progress& progress);
  TriggerOutcome Young(const Progress& progress);

  const protocol::Options& options_;
  GcInducer& inducer_;
  bool can_induce_ = false, has_forced_ = false;
  abi::HRESULT force_result_ = abi::kOk;
};

}  // namespace cairn::collector
