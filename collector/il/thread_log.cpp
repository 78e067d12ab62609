#include "collector/il/thread_log.h"

namespace cairn::collector::il {

namespace {

// The owner is the only one that writes, so that nothing needs to be locked.
void Add(std::atomic<uint64_t>& cell, uint64_t amount) {
  cell.store(cell.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

}  // namespace

void ThreadLog::Begin(uint32_t session) {
  for (Cells& cells : cells_) {
    if (cells.enters.load(std::memory_order_relaxed) == 0 && cells.leaves.load(std::memory_order_relaxed) == 0)
      continue;
    for (auto* cell :
         {&cells.enters, &cells.leaves, &cells.exceptions, &cells.total_ns, &cells.longest_ns, &cells.depth}) {
      cell->store(0, std::memory_order_relaxed);
    }
  }
  lost_.store(0, std::memory_order_relaxed);
  session_.store(session, std::memory_order_release);
}

void ThreadLog::Enter(uint32_t session, uint32_t method, uint64_t now_ns, bool lines) {
  if (session_.load(std::memory_order_relaxed) != session) Begin(session);
  Cells& cells = cells_[method];
  Add(cells.enters, 1);
  const bool is_inner = cells.depth.load(std::memory_order_relaxed) > 0;
  Add(cells.depth, 1);
  if (lines) Put({now_ns, 0, 0, method, static_cast<uint16_t>(session), false, is_inner});
}

void ThreadLog::Leave(uint32_t session, uint32_t method, uint64_t start_ns, uint64_t now_ns, uint64_t exception,
                      bool lines) {
  if (session_.load(std::memory_order_relaxed) != session) Begin(session);
  const uint64_t duration = now_ns > start_ns ? now_ns - start_ns : 0;
  Cells& cells = cells_[method];
  Add(cells.leaves, 1);
  const uint64_t depth = cells.depth.load(std::memory_order_relaxed);
  const bool is_inner = depth > 1;
  if (!is_inner) Add(cells.total_ns, duration);
  if (depth > 0) cells.depth.store(depth - 1, std::memory_order_relaxed);
  if (exception != 0) Add(cells.exceptions, 1);
  if (duration > cells.longest_ns.load(std::memory_order_relaxed)) {
    cells.longest_ns.store(duration, std::memory_order_relaxed);
  }
  if (lines) Put({now_ns, duration, exception, method, static_cast<uint16_t>(session), true, is_inner});
}

void ThreadLog::Put(const CallRecord& record) {
  const uint64_t put = put_.load(std::memory_order_relaxed);
  if (put - taken_.load(std::memory_order_acquire) == kRecords) return Add(lost_, 1);
  records_[put % kRecords] = record;
  put_.store(put + 1, std::memory_order_release);
}

bool ThreadLog::Take(CallRecord& record) {
  const uint64_t taken = taken_.load(std::memory_order_relaxed);
  if (taken == put_.load(std::memory_order_acquire)) return false;
  record = records_[taken % kRecords];
  taken_.store(taken + 1, std::memory_order_release);
  return true;
}

CallCounters ThreadLog::Counters(uint32_t method) const {
  const Cells& cells = cells_[method];
  const auto read = [](const std::atomic<uint64_t>& cell) { return cell.load(std::memory_order_relaxed); };
  return {read(cells.enters), read(cells.leaves), read(cells.exceptions), read(cells.total_ns), read(cells.longest_ns)};
}

}  // namespace cairn::collector::il
