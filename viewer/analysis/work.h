#pragma once
// How long work tells where it is and hears that it is no longer wanted.
// Thread rule: every method from any thread. Ownership: outlives the work it is given to.

#include <atomic>
#include <cstdint>

#include "snapshot-format/file/result.h"

namespace cairn::analysis {

class Work {
 public:
  struct Progress {
    const char* stage = "";  // a literal: "reading objects"
    uint64_t done = 0;
    uint64_t total = 0;  // 0: not known
  };

  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool Cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

  // `stage` is a string literal.
  void Begin(const char* stage, uint64_t total) {
    stage_.store(stage, std::memory_order_relaxed);
    total_.store(total, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
  }
  void Advance(uint64_t steps) { done_.fetch_add(steps, std::memory_order_relaxed); }

  Progress Now() const {
    return {stage_.load(std::memory_order_relaxed), done_.load(std::memory_order_relaxed),
            total_.load(std::memory_order_relaxed)};
  }

 private:
  std::atomic<bool> cancelled_{false};
  std::atomic<const char*> stage_{""};
  std::atomic<uint64_t> done_{0}, total_{0};
};

// Loops look at Cancelled() once per this many objects.
inline constexpr uint64_t kCancelStride = 1u << 16;

inline tl::unexpected<Error> WasCancelled() {
  return Fail(ErrorKind::kFailed, "cancelled", "The analysis was cancelled before it was done.");
}

// To be called once per element of a long loop: reports and returns false when the loop is to end.
class Stride {
 public:
  explicit Stride(Work& work) : work_(work) {}
  bool Step() { return ++steps_ % kCancelStride != 0 || Report(); }

 private:
  bool Report() {
    work_.Advance(kCancelStride);
    return !work_.Cancelled();
  }

  Work& work_;
  uint64_t steps_ = 0;
};

}  // namespace cairn::analysis
