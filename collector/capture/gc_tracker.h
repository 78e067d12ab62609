#pragma once
// What the runtime is doing right now, told by its suspend and collection callbacks, with the times that
// make up a pause. No runtime calls, no lock, no allocation: fed from inside the pause.
// Thread rule: the callbacks come one at a time but from different threads; readers see whole values.

#include <atomic>
#include <cstdint>

namespace cairn::collector {

struct PauseParts {
  double total_ms = 0, suspend_ms = 0, gc_ms = 0, roots_ms = 0, walk_ms = 0;
};

class GcTracker {
 public:
  void Reset();

  void SuspendStarted(uint64_t now_ns);
  void SuspendFinished(uint64_t now_ns);
  void SuspendAborted();
  void ResumeStarted();
  void ResumeFinished(uint64_t now_ns);

  // `all_collected`: every generation is. True when this is a collection a full capture may use: all
  // generations, induced, with the runtime suspended. (A background collection starts with the same mask
  // and reason, and finishes with the application running.)
  bool CollectionStarted(bool all_collected, bool induced);
  void CollectionFinished() { fitting_ = false; }
  bool InFittingCollection() const { return fitting_; }
  bool Suspended() const { return suspended_; }

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
  std::atomic<bool> suspended_{false};
  std::atomic<bool> fitting_{false};
  std::atomic<bool> pause_over_{false};
  std::atomic<bool> walked_{false};
  // Of the latest suspension until a walk took place, of the walk's suspension from then on.
  std::atomic<uint64_t> suspend_started_{0}, suspend_finished_{0}, resume_finished_{0};
  std::atomic<uint64_t> roots_{0}, walk_started_{0}, walk_finished_{0};
};

}  // namespace cairn::collector
