#pragma once
// Writes down what each collection does to objects: where they moved, which survived where they lay, which parts of
// the heap were collected. Only blocking collections move objects or tell all that survive; of a background
// collection it is noted that there was one, and where the heap lay. Which of the two a collection is, the runtime does
// not say when it begins (one that it calls concurrent may end up blocking): a blocking one is over before the
// application goes on.
// Call-site rule: Prepare outside callbacks; the On… functions from the runtime's callbacks, where nothing is
// allocated or locked. Under server GC the ranges of one collection come from several threads at once.
// Thread rule: Next and Pop from one thread of ours.

#include <atomic>
#include <cstdint>
#include <span>

#include "collector/abi/profiler_info.h"
#include "collector/capture/mapped_array.h"
#include "collector/protocol/journal.h"
#include "collector/tracking/journal_ring.h"

namespace cairn::collector {

class GcJournal {
 public:
  static constexpr size_t kRingBytes = size_t{64} << 20;

  // False: no memory. `info` must stay until Stop.
  bool Prepare(abi::ICorProfilerInfo10* info, size_t ring_bytes = kRingBytes);
  // Nothing is written, and the runtime is not asked, from here on. Not inside a callback.
  void Stop();
  // After Stop, when no callback can come any more.
  void Free();

  void OnSuspendFinished() { suspended_ = true; }
  void OnResumeStarted();
  void OnCollectionStarted(std::span<const abi::Bool> collected);
  void OnEvent(uint32_t id, uint32_t version, std::span<const uint8_t> payload);
  // `marker`: of the snapshot taken in this pause; 0: none.
  void OnCollectionFinished(uint64_t marker);

  // An object that is being made, outside a collection. False: it did not fit, and nothing else is missing for that.
  bool OnSampled(const protocol::SampledObject& object);
  // The snapshot of this pause, where OnCollectionFinished was not told of it.
  void OnSnapshot(uint64_t marker);

  std::span<const uint8_t> Next() { return ring_.Next(); }
  void Pop() { ring_.Pop(); }

 private:
  void OnStartEvent(std::span<const uint8_t> payload);
  void OnHistoryEvent(std::span<const uint8_t> payload);
  void OnRanges(protocol::JournalKind kind, std::span<const uint8_t> payload);
  bool WriteBounds(protocol::JournalKind kind, uint16_t detail);
  void Lose(protocol::JournalLoss loss);
  bool Write(const protocol::JournalHeader& header, std::span<const uint8_t> items, size_t spare);

  abi::ICorProfilerInfo10* info_ = nullptr;
  JournalRing ring_;
  MappedArray<abi::GcGenerationRange> ranges_;
  MappedArray<protocol::HeapBound> bounds_;
  std::atomic<bool> running_{false}, suspended_{false};
  std::atomic<bool> collecting_{false};   // one began in this suspension, and has not finished
  std::atomic<bool> has_history_{false};  // and has told what it did
  std::atomic<uint16_t> lost_{0};         // JournalLoss that could not be written yet
  std::atomic<uint32_t> latest_{0};       // number of the latest collection
  std::atomic<bool> has_latest_{false};
};

}  // namespace cairn::collector
