#pragma once
// Long work beside a window: described, with progress, cancellable. A job gives plain data; whoever no longer wants it
// drops the handle, which cancels it.
// Thread rule: JobRunner and Job belong to one thread (the window's); the work runs on threads of the runner.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "snapshot-format/file/result.h"
#include "viewer/analysis/work.h"

namespace cairn::presentation {

// What runs inside a job sees of it: where to tell progress, and whether it is still wanted.
class JobContext {
 public:
  analysis::Work& Work() { return work_; }
  const std::atomic<bool>& Cancelled() const { return cancelled_; }
  // For work whose steps have no fixed words; else Work::Begin.
  void Tell(std::string step, uint64_t done, uint64_t total);

 private:
  friend class JobState;
  analysis::Work work_;
  std::atomic<bool> cancelled_{false};
  mutable std::mutex mutex_;
  std::optional<std::string> step_;
  uint64_t done_ = 0, total_ = 0;
};

struct JobProgress {
  std::string step;              // "reading objects"; may be empty
  uint64_t done = 0, total = 0;  // total 0: not known
};

class JobState {
 public:
  explicit JobState(std::string description) : description_(std::move(description)) {}
  virtual ~JobState() = default;

  const std::string& Description() const { return description_; }
  JobProgress Progress() const;
  bool IsDone() const { return done_.load(std::memory_order_acquire); }
  void Cancel();
  // On a thread of the runner.
  void Run();

 protected:
  // Stores the answer, or the error of a job that never ran or that threw.
  virtual void Perform(JobContext& context) = 0;
  virtual void Refuse(Error error) = 0;

 private:
  std::string description_;
  JobContext context_;
  std::atomic<bool> done_{false};
};

template <class T>
class TypedJobState : public JobState {
 public:
  using Work = std::function<Result<T>(JobContext&)>;
  TypedJobState(std::string description, Work work) : JobState(std::move(description)), work_(std::move(work)) {}
  const Result<T>& Answer() const { return *answer_; }

 private:
  void Perform(JobContext& context) override {
    answer_.emplace(work_(context));
    work_ = nullptr;  // what it holds is free as soon as it is done
  }
  void Refuse(Error error) override { answer_.emplace(tl::make_unexpected(std::move(error))); }

  Work work_;
  std::optional<Result<T>> answer_;
};

// A job somebody waits for. Without one: nothing is wanted.
template <class T>
class Job {
 public:
  Job() = default;
  explicit Job(std::shared_ptr<TypedJobState<T>> state) : state_(std::move(state)) {}
  Job(Job&& other) noexcept : state_(std::move(other.state_)) {}
  Job& operator=(Job&& other) noexcept {
    if (state_) state_->Cancel();
    state_ = std::move(other.state_);
    return *this;
  }
  ~Job() {
    if (state_) state_->Cancel();
  }

  bool IsWanted() const { return state_ != nullptr; }
  // Null until it is done.
  const Result<T>* Answer() const { return state_ && state_->IsDone() ? &state_->Answer() : nullptr; }
  JobProgress Progress() const { return state_ ? state_->Progress() : JobProgress(); }
  void Cancel() {
    if (state_) state_->Cancel();
  }

 private:
  std::shared_ptr<TypedJobState<T>> state_;
};

class JobRunner {
 public:
  // `wake` is called from any thread when a job is done.
  JobRunner(unsigned threads, std::function<void()> wake);
  // Cancels what runs, and waits for it.
  ~JobRunner();
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

  template <class T>
  Job<T> Start(std::string description, typename TypedJobState<T>::Work work) {
    auto state = std::make_shared<TypedJobState<T>>(std::move(description), std::move(work));
    Add(state);
    return Job<T>(state);
  }

  // Those that wait or run, the oldest first.
  std::vector<std::shared_ptr<JobState>> Unfinished() const;
  // Until nothing waits or runs.
  void WaitUntilIdle();

 private:
  void Add(std::shared_ptr<JobState> state);
  void Serve();

  const std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<JobState>> waiting_;
  std::vector<std::shared_ptr<JobState>> running_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace cairn::presentation
