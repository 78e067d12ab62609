#pragma once
// What one thread says of its calls: counters that are always right, and a bounded ring of single calls that may
// lose some, counted. Memory: 704 KiB of addresses, touched as used; never given back, since a call may end long after
// the log it began in.
// Thread rule: one thread writes (the owner), one reads (the observation's).

#include <array>
#include <atomic>
#include <cstdint>

#include "collector/protocol/method_observation.h"

namespace cairn::collector::il {

struct CallRecord {
  uint64_t time_ns = 0;
  uint64_t duration_ns = 0;
  uint64_t exception = 0;  // see kLeaveSignature
  uint32_t method = 0;
  uint16_t session = 0;  // low bits: one of an earlier session is dropped
  bool leave = false;
  bool is_inner = false;  // within another call of the method on this thread
};

struct CallCounters {
  uint64_t enters = 0, leaves = 0, exceptions = 0;
  // Of a method that calls itself, the outermost call only: what goes on inside it is part of its time.
  uint64_t total_ns = 0;
  uint64_t longest_ns = 0;
};

class ThreadLog {
 public:
  // Of every log, in its order: kFree → kOwned (a thread takes it) → kLeft (the thread has ended) → kFree (read).
  enum class State : uint32_t { kFree, kOwned, kLeft };

  std::atomic<State> state{State::kFree};
  std::atomic<uint32_t> os_thread{0};

  // ---- the owner ----

  // Counts from 0 again where the session is another one than at the last call.
  void Enter(uint32_t session, uint32_t method, uint64_t now_ns, bool lines);
  void Leave(uint32_t session, uint32_t method, uint64_t start_ns, uint64_t now_ns, uint64_t exception, bool lines);

  // ---- the reader ----

  uint32_t Session() const { return session_.load(std::memory_order_acquire); }
  CallCounters Counters(uint32_t method) const;
  uint64_t Lost() const { return lost_.load(std::memory_order_relaxed); }
  // False: there is none.
  bool Take(CallRecord& record);
  // Its thread has ended and its counts were taken: the next owner begins anew.
  void Forget() { session_.store(0, std::memory_order_release); }
  void Discard() { taken_.store(put_.load(std::memory_order_acquire), std::memory_order_release); }

 private:
  static constexpr uint64_t kRecords = 1u << 14;

  struct Cells {
    std::atomic<uint64_t> enters{0}, leaves{0}, exceptions{0}, total_ns{0}, longest_ns{0};
    std::atomic<uint64_t> depth{0};  // calls of this session that the thread has not left yet
  };

  void Begin(uint32_t session);
  void Put(const CallRecord& record);

  std::atomic<uint32_t> session_{0};
  std::atomic<uint64_t> lost_{0};
  alignas(64) std::atomic<uint64_t> put_{0};
  alignas(64) std::atomic<uint64_t> taken_{0};
  std::array<Cells, protocol::kMostTracedMethods> cells_;
  std::array<CallRecord, kRecords> records_;
};

}  // namespace cairn::collector::il
