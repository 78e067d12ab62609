#pragma once
// The size of a process's garbage-collected heap, told by its own runtime after each collection: an event
// session over the diagnostics socket. It costs the process some twenty small events per collection; nothing is
// attached to it.
// Thread rule: made and ended by one thread; Latest from any. A thread of its own reads.

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "collector/client/diagnostics_ipc.h"
#include "collector/client/series_plan.h"

namespace cairn::client {

// Bytes of all generations, large and pinned objects included, free room between objects too. Nothing where the
// event is cut.
std::optional<uint64_t> HeapBytesOf(std::span<const uint8_t> heap_stats);

class HeapMeter {
 public:
  // Errors: those of diagnostics_ipc.h and of HresultError.
  static Result<std::unique_ptr<HeapMeter>> Open(const IpcAddress& address, milliseconds timeout);
  ~HeapMeter();  // closes the session

  // Nothing before the first collection.
  std::optional<HeapReading> Latest() const;
  bool IsBroken() const { return broken_; }

 private:
  explicit HeapMeter(UniqueFd stream);
  void Read();
  void Take(uint64_t bytes);

  UniqueFd stream_;
  std::atomic<bool> stop_{false}, broken_{false};
  mutable std::mutex mutex_;
  HeapReading latest_;  // number 0: none yet
  std::thread thread_;
};

}  // namespace cairn::client
