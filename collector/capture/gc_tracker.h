#pragma once
// What the runtime is doing right now, told by its suspend and collection callbacks, with the times that
// make up a pause. No runtime calls, no lock, no allocation: fed from inside the pause.
// Thread rule: the callbacks come one at a time but from different threads; readers see whole values.

#include <atomic>
#include <cstdint>
#include <span>

#include "collector/abi/structs.h"

namespace cairn::collector {

inline constexpr uint8_t kOldestGeneration = 2;

struct PauseParts {
  double total_ms = 0, suspend_ms = 0, gc_ms = 0, roots_ms = 0, walk_ms = 0;
};

// Which collections a capture may take. All of them are blocking: they start and finish within one suspension.
enum class FittingCollection : uint8_t {
  kInducedFull,  // of all generations, asked for
  kAny,          // also one of the application's own, also of the youngest generation only
};

class GcTracker {
 public:
  void Reset();
  void SetFitting(FittingCollection wanted) { wanted_ = wanted; }

  void SuspendStarted(uint64_t now_ns);
  void SuspendFinished(uint64_t now_ns);
  void SuspendAborted();
  void ResumeStarted();
  void ResumeFinished(uint64_t now_ns);

  // `collected`: by generation. True when the capture may use this collection. (A background collection starts
  // with the same mask and reason as a forced one, but goes on and finishes with the application running.)
  bool CollectionStarted(std::span<const abi::Bool> collected, bool induced);
  void CollectionFinished() { fitting_ = false; }
  // Objects may no longer lie where the walk saw them.
  bool CollectedSinceWalk() const { return collected_since_; }
  bool InFittingCollection() const { return fitting_; }
  bool Suspended() const { return suspended_; }

  // The oldest generation that the fitting collection collects: 0, 1, or 2 for all.
  uint8_t Condemned() const { return condemned_; }
  // What the runtime says later, in event 205, where it says so.
  void SetCondemned(uint8_t generation) {
    if (!walked_) condemned_ = generation;
  }

  // Marks of the collection that is captured.
  void MarkRoots(uint64_t now_ns);
  void MarkWalkStarted(uint64_t now_ns);
  void MarkWalkFinished(uint64_t now_ns);

  // Between the walk and the moment the application runs again.
  bool InWalkedPause() const { return walked_ && suspended_ && !pause_over_; }
  // True once the application runs again after the marked walk.
  bool WalkedPauseIsOver() const { return pause_over_; }
  PauseParts Parts() const;

 private:
  std::atomic<FittingCollection> wanted_{FittingCollection::kInducedFull};
  std::atomic<uint8_t> condemned_{kOldestGeneration};
  std::atomic<bool> suspended_{false};
  std::atomic<bool> fitting_{false};
  std::atomic<bool> pause_over_{false};
  std::atomic<bool> walked_{false};
  std::atomic<bool> collected_since_{false};
  // Of the latest suspension until a walk took place, of the walk's suspension from then on.
  std::atomic<uint64_t> suspend_started_{0}, suspend_finished_{0}, resume_finished_{0};
  std::atomic<uint64_t> roots_{0}, walk_started_{0}, walk_finished_{0};
};

}  // namespace cairn::collector
