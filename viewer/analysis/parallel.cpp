#include "viewer/analysis/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace cairn::analysis {
namespace {

class Pieces {
 public:
  Pieces(size_t count, Work& work, const std::function<Status(size_t, unsigned)>& run)
      : count_(count), work_(work), run_(run) {}

  void RunAll(unsigned thread) {
    while (!stop_.load(std::memory_order_relaxed)) {
      const size_t piece = next_.fetch_add(1, std::memory_order_relaxed);
      if (piece >= count_) return;
      Keep(work_.Cancelled() ? Status(WasCancelled()) : Guarded([&] { return run_(piece, thread); }));
      work_.Advance(1);
    }
  }

  Status Take() { return std::move(status_); }

 private:
  void Keep(Status status) {
    if (status) return;
    const std::lock_guard lock(mutex_);
    if (status_) status_ = std::move(status);
    stop_ = true;
  }

  const size_t count_;
  Work& work_;
  const std::function<Status(size_t, unsigned)>& run_;
  std::atomic<size_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  Status status_;
};

}  // namespace

unsigned DefaultThreads() { return std::clamp(std::thread::hardware_concurrency(), 1u, 16u); }

Status Guarded(const std::function<Status()>& run) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    return Fail(ErrorKind::kFailed, "memory.exhausted", "There is not enough memory to analyse this snapshot.",
                "Analyse it on a machine with more memory; about 60 bytes per object are needed.");
  } catch (const std::exception& e) {
    return Fail(ErrorKind::kFailed, "analysis.failed", std::string("The analysis failed: ") + e.what() + ".");
  }
}

Status ParallelFor(size_t pieces, unsigned threads, Work& work, const std::function<Status(size_t, unsigned)>& run) {
  Pieces shared(pieces, work, run);
  const auto wanted = static_cast<unsigned>(std::min<size_t>(std::max(threads, 1u), pieces));
  {
    std::vector<std::jthread> others;
    for (unsigned thread = 1; thread < wanted; ++thread)
      others.emplace_back([&shared, thread] { shared.RunAll(thread); });
    shared.RunAll(0);
  }
  return shared.Take();
}

}  // namespace cairn::analysis
