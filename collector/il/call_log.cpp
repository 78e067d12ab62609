#include "collector/il/call_log.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "collector/capture/clock.h"
#include "collector/walk/pages.h"

namespace cairn::collector::il {

namespace {

void AddTo(CallCounters& sum, const CallCounters& more) {
  sum.enters += more.enters;
  sum.leaves += more.leaves;
  sum.exceptions += more.exceptions;
  sum.total_ns += more.total_ns;
  sum.longest_ns = std::max(sum.longest_ns, more.longest_ns);
}

ThreadLog* MapLog() {
  // Zeroed pages are what a constructor would write, which would touch all of them, where most logs use a few.
  return reinterpret_cast<ThreadLog*>(pages::Map(sizeof(ThreadLog)));
}

// What a thread keeps that found no log: odd, as no address of one is. It looks through all of them again in the next
// session only, instead of at each call.
void* NoneOf(uint32_t session) { return reinterpret_cast<void*>(uintptr_t{session} << 1 | 1); }
bool IsNone(const void* kept) { return (reinterpret_cast<uintptr_t>(kept) & 1) != 0; }

}  // namespace

CallLog& CallLog::Instance() {
  static CallLog& log = *new CallLog;
  return log;
}

int64_t CallLog::Enter(uint64_t key) {
  CallLog& log = Instance();
  const auto session = static_cast<uint32_t>(key >> 32);
  if (session != log.current_.load(std::memory_order_relaxed)) return 0;
  ThreadLog* mine = log.Mine(session);
  if (mine == nullptr) {
    log.not_counted_.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }
  const uint64_t now = NowNs();
  mine->Enter(session, static_cast<uint32_t>(key), now, log.lines_.load(std::memory_order_relaxed));
  return static_cast<int64_t>(now);
}

void CallLog::Leave(uint64_t key, uint64_t start_ns, uint64_t exception) {
  CallLog& log = Instance();
  const auto session = static_cast<uint32_t>(key >> 32);
  if (start_ns == 0 || session != log.current_.load(std::memory_order_relaxed)) return;
  ThreadLog* mine = log.Mine(session);
  if (mine == nullptr) return;
  mine->Leave(session, static_cast<uint32_t>(key), start_ns, NowNs(), exception,
              log.lines_.load(std::memory_order_relaxed));
}

ThreadLog* CallLog::Mine(uint32_t session) {
  void* mine = pthread_getspecific(key_);
  if (mine == NoneOf(session)) return nullptr;
  if (mine != nullptr && !IsNone(mine)) return static_cast<ThreadLog*>(mine);
  ThreadLog* claimed = Claim();
  if (claimed == nullptr) pthread_setspecific(key_, NoneOf(session));
  return claimed;
}

ThreadLog* CallLog::Claim() {
  for (auto& slot : logs_) {
    ThreadLog* log = slot.load(std::memory_order_acquire);
    if (log == nullptr) {
      ThreadLog* made = MapLog();
      if (made == nullptr) return nullptr;
      // Another thread may have been faster; then its log is tried like any other.
      if (slot.compare_exchange_strong(log, made)) {
        log = made;
      } else {
        pages::Unmap(reinterpret_cast<uint8_t*>(made), sizeof(ThreadLog));
      }
    }
    auto free = ThreadLog::State::kFree;
    if (!log->state.compare_exchange_strong(free, ThreadLog::State::kOwned)) continue;
    log->os_thread.store(static_cast<uint32_t>(syscall(SYS_gettid)), std::memory_order_release);
    if (pthread_setspecific(key_, log) == 0) return log;
    log->state.store(ThreadLog::State::kFree);
    return nullptr;
  }
  return nullptr;
}

void CallLog::OnThreadExit(void* log) {
  if (!IsNone(log)) static_cast<ThreadLog*>(log)->state.store(ThreadLog::State::kLeft);
}

bool CallLog::Begin(bool lines) {
  if (!has_key_) {
    pthread_key_t key{};
    if (pthread_key_create(&key, OnThreadExit) != 0) return false;
    key_ = key;
    has_key_ = true;
  }
  for (auto& slot : logs_) {
    ThreadLog* log = slot.load(std::memory_order_acquire);
    if (log == nullptr) continue;
    log->Discard();
    auto left = ThreadLog::State::kLeft;
    log->state.compare_exchange_strong(left, ThreadLog::State::kFree);
  }
  retired_.assign(protocol::kMostTracedMethods, {});
  retired_lost_ = 0;
  not_counted_ = 0;
  reverted_ = {};
  lines_ = lines;
  ++newest_;
  current_ = newest_;
  return true;
}

bool CallLog::Drain(const Taker& take) {
  for (size_t i = 0; i < kMostThreads; ++i) {
    ThreadLog* log = logs_[i].load(std::memory_order_acquire);
    if (log == nullptr || log->state.load() == ThreadLog::State::kFree) continue;
    if (!DrainOne(i, *log, take)) return false;
  }
  return true;
}

bool CallLog::DrainOne(size_t thread, ThreadLog& log, const Taker& take) {
  const bool left = log.state.load() == ThreadLog::State::kLeft;
  CallRecord record;
  while (log.Take(record)) {
    if (record.session != static_cast<uint16_t>(newest_)) continue;
    if (!take(thread, log.os_thread.load(std::memory_order_acquire), record)) return false;
  }
  if (left) Retire(log);
  return true;
}

void CallLog::Retire(ThreadLog& log) {
  if (log.Session() == newest_) {
    for (uint32_t method = 0; method < protocol::kMostTracedMethods; ++method) {
      AddTo(retired_[method], log.Counters(method));
    }
    retired_lost_ += log.Lost();
  }
  log.Forget();
  log.state.store(ThreadLog::State::kFree);
}

std::vector<CallCounters> CallLog::Totals(uint32_t methods) const {
  std::vector<CallCounters> totals = retired_;
  totals.resize(methods);
  for (const auto& slot : logs_) {
    const ThreadLog* log = slot.load(std::memory_order_acquire);
    if (log == nullptr || log->Session() != newest_) continue;
    for (uint32_t method = 0; method < methods; ++method) AddTo(totals[method], log->Counters(method));
  }
  return totals;
}

uint64_t CallLog::Lost() const {
  uint64_t lost = retired_lost_;
  for (const auto& slot : logs_) {
    const ThreadLog* log = slot.load(std::memory_order_acquire);
    if (log != nullptr && log->Session() == newest_) lost += log->Lost();
  }
  return lost;
}

}  // namespace cairn::collector::il
