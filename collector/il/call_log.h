#pragma once
// The logs of all threads, and the two functions that rewritten methods call.
// Ownership: in static storage, never destroyed: a method that was on a stack when everything was reverted calls leave
// at any later time. Thread rule: Enter and Leave on the application's threads, which are in preemptive mode there: no
// lock, no wait, no call of the runtime; memory is mapped at a thread's first call. The rest on the observation's
// thread.

#include <array>
#include <functional>
#include <vector>

#include "collector/il/thread_log.h"

namespace cairn::collector::il {

class CallLog {
 public:
  static constexpr size_t kMostThreads = 1024;

  static CallLog& Instance();

  // What rewritten methods call; see kEnterSignature.
  static int64_t Enter(uint64_t key);
  static void Leave(uint64_t key, uint64_t start_ns, uint64_t exception);

  // For one user at a time, from before Begin until all is told: a process may have several runtimes, each with its own
  // observation. False: another has it.
  bool Reserve() { return !is_reserved_.exchange(true); }
  void Free() { is_reserved_ = false; }

  // A new session: what was logged before is dropped. Its number goes into the keys. False: no more of the system's
  // per-thread keys.
  bool Begin(bool lines);
  uint32_t Session() const { return newest_; }
  uint64_t KeyOf(uint32_t method) const { return uint64_t{newest_} << 32 | method; }
  // From here on calls are only passed through.
  void End() { current_ = 0; }

  // All that has come, thread by thread. The number of a thread is its own as long as it lives, and given again.
  // False from `take` ends it early.
  using Taker = std::function<bool(size_t thread, uint32_t os_thread, const CallRecord& record)>;
  bool Drain(const Taker& take);
  // Until now, of all threads of this session; index is the method.
  std::vector<CallCounters> Totals(uint32_t methods) const;
  uint64_t Lost() const;
  uint64_t NotCounted() const { return not_counted_.load(std::memory_order_relaxed); }
  // How the methods of this session were put back, for whoever asks for its sums later.
  void Keep(const protocol::MethodsReverted& reverted) { reverted_ = reverted; }
  const protocol::MethodsReverted& Reverted() const { return reverted_; }

 private:
  // Null: there is none for this thread, in this session.
  ThreadLog* Mine(uint32_t session);
  ThreadLog* Claim();
  static void OnThreadExit(void* log);
  bool DrainOne(size_t thread, ThreadLog& log, const Taker& take);
  void Retire(ThreadLog& log);

  std::atomic<bool> is_reserved_{false};
  std::atomic<uint32_t> current_{0};  // 0: none
  std::atomic<bool> lines_{false};
  uint32_t newest_ = 0;
  bool has_key_ = false;
  unsigned key_ = 0;  // pthread_key_t
  std::array<std::atomic<ThreadLog*>, kMostThreads> logs_{};
  std::atomic<uint64_t> not_counted_{0};
  std::vector<CallCounters> retired_;  // of threads that ended
  uint64_t retired_lost_ = 0;
  protocol::MethodsReverted reverted_;
};

}  // namespace cairn::collector::il
