#pragma once
// A value that is computed at its first use and kept. While one caller computes it, others wait and see its
// progress; when that caller is cancelled, the next one that still wants it starts again.
// Thread rule: Get from any thread.

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "snapshot-format/file/result.h"
#include "viewer/analysis/parallel.h"
#include "viewer/analysis/work.h"

namespace cairn::session {

template <class T>
class Computed {
 public:
  // `compute()` returns Result<T>; what it throws becomes an error, so that nobody waits for it for ever. The value
  // stays where it is for the life of this object. An error is not kept.
  template <class Compute>
  Result<const T*> Get(analysis::Work& work, Compute compute) {
    std::unique_lock lock(mutex_);
    while (!value_ && running_) {
      if (work.Cancelled()) return analysis::WasCancelled();
      Follow(running_->Now(), work);
      done_.wait_for(lock, std::chrono::milliseconds(50));
    }
    if (value_) return value_.get();
    running_ = &work;
    lock.unlock();
    Result<T> result = Guarded(compute);
    lock.lock();
    running_ = nullptr;
    if (result) value_ = std::make_unique<const T>(std::move(*result));
    done_.notify_all();
    if (!result) return tl::make_unexpected(std::move(result).error());
    return value_.get();
  }

  // The value if it is there already.
  const T* Peek() {
    const std::lock_guard lock(mutex_);
    return value_.get();
  }

 private:
  template <class Compute>
  static Result<T> Guarded(Compute& compute) {
    std::unique_ptr<Result<T>> result;
    CAIRN_TRY(analysis::Guarded([&]() -> Status {
      result.reset(new Result<T>(compute()));  // made where it stays: GCC 12 warns of frees when it is moved there
      return {};
    }));
    return std::move(*result);
  }

  static void Follow(const analysis::Work::Progress& progress, analysis::Work& work) {
    work.Begin(progress.stage, progress.total);
    work.Advance(progress.done);
  }

  std::mutex mutex_;
  std::condition_variable done_;
  analysis::Work* running_ = nullptr;  // of the caller that computes
  std::unique_ptr<const T> value_;
};

}  // namespace cairn::session
