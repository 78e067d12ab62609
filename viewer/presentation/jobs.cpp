#include "viewer/presentation/jobs.h"

#include <algorithm>
#include <exception>
#include <new>

namespace cairn::presentation {

void JobContext::Tell(std::string step, uint64_t done, uint64_t total) {
  const std::lock_guard lock(mutex_);
  step_ = std::move(step);
  done_ = done;
  total_ = total;
}

JobProgress JobState::Progress() const {
  const std::lock_guard lock(context_.mutex_);
  if (context_.step_) return {*context_.step_, context_.done_, context_.total_};
  const auto now = context_.work_.Now();
  return {now.stage, now.done, now.total};
}

void JobState::Cancel() {
  context_.cancelled_ = true;
  context_.work_.Cancel();
}

// The edge of the thread: nothing is thrown past it.
void JobState::Run() {
  try {
    if (context_.cancelled_)
      Refuse(analysis::WasCancelled().value());
    else
      Perform(context_);
  } catch (const std::bad_alloc&) {
    Refuse({ErrorKind::kFailed, "memory.exhausted", "there is not enough memory for this",
            "Close other snapshots, or ask for less with a filter."});
  } catch (const std::exception& error) {
    Refuse({ErrorKind::kFailed, "internal", std::string("unexpected: ") + error.what(),
            "This is a fault of cairn; please report it."});
  }
  done_.store(true, std::memory_order_release);
}

JobRunner::JobRunner(unsigned threads, std::function<void()> wake) : wake_(std::move(wake)) {
  for (unsigned i = 0; i < std::max(threads, 1u); ++i) threads_.emplace_back([this] { Serve(); });
}

JobRunner::~JobRunner() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (const auto& job : waiting_) job->Cancel();
    for (const auto& job : running_) job->Cancel();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void JobRunner::Add(std::shared_ptr<JobState> state) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(state));
  }
  changed_.notify_all();
}

void JobRunner::Serve() {
  for (std::unique_lock lock(mutex_);;) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const auto job = waiting_.front();
    waiting_.pop_front();
    running_.push_back(job);
    lock.unlock();
    job->Run();
    lock.lock();
    running_.erase(std::find(running_.begin(), running_.end(), job));
    changed_.notify_all();
    if (wake_) wake_();
  }
}

std::vector<std::shared_ptr<JobState>> JobRunner::Unfinished() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<JobState>> all = running_;
  all.insert(all.end(), waiting_.begin(), waiting_.end());
  return all;
}

void JobRunner::WaitUntilIdle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.empty() && running_.empty(); });
}

}  // namespace cairn::presentation
