#pragma once
// The walk in the pause, by one or several threads. Ranges are handed out one by one, big ones first; each is
// walked by one thread, in order, into that thread's own spool with that thread's own table of types. The
// tables are merged after the pause.
// Thread rule: see HeapWalk. Ownership: observes `memories`, which outlive it.

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "collector/capture/heap_walk.h"
#include "collector/capture/mapped_array.h"
#include "collector/capture/merged_types.h"
#include "collector/capture/walk_crew.h"
#include "collector/walk/heap_walker.h"

namespace cairn::collector {

class PauseWalk final : public HeapWalk {
 public:
  using Memories = std::vector<std::unique_ptr<WalkMemory>>;

  // One walker for each of `memories`, of which there is at least one. All are mapped.
  PauseWalk(const LayoutPolicy& layout, const Memories& memories);

  // Before the pause: the threads, and room to put `ranges` ranges in order.
  void Prepare(size_t ranges);

  // ---- in the pause ----
  // The walker of the calling thread: for the self-check, and for a walk through the API.
  HeapWalker& First() { return *walkers_.front(); }
  unsigned MostThreads() const { return crew_size_ + 1; }
  void UseThreads(unsigned threads) { threads_ = threads < MostThreads() ? threads : MostThreads(); }
  void RunThroughApi(std::span<HeapRange> ranges, ObjectInspector& inspector, WalkReport& report);
  // Each walker's own types, for what must be asked about them before the application runs again.
  template <class Visit>
  void ForEachTypes(Visit visit) {
    for (const auto& walker : walkers_) visit(walker->Types());
  }

  // False: a spool was full. BytesMissing says what the whole heap would take.
  bool Run(std::span<HeapRange> ranges, WalkReport& report) override;
  uint64_t BytesNeeded() const { return bytes_needed_; }

  bool FinishTypes(std::span<HeapRange> ranges, WalkReport& report) override;
  std::span<const WalkedType> Types() const override { return merged_.Types(); }
  void VisitCode(const std::function<void(const CodeTable&)>& visit) const override {
    for (const auto& walker : walkers_) visit(walker->Code());
  }
  SendOutcome Send(ClientChannel& channel, const TypeRanking& ranking, const Between& between,
                   uint64_t* chunks) override;
  unsigned Threads() const override { return threads_; }

 private:
  static void WorkEntry(void* walk, unsigned member);
  void Work(unsigned walker);
  uint32_t RangeAt(uint32_t turn) const { return is_sorted_ ? order_[turn] : turn; }
  void SortRanges();
  void EstimateNeed(const WalkReport& report);

  const Memories& memories_;
  std::vector<std::unique_ptr<HeapWalker>> walkers_;
  std::vector<WalkReport> reports_;
  MergedTypes merged_;
  MappedArray<uint32_t> order_;
  std::span<HeapRange> ranges_;
  std::atomic<uint32_t> next_{0};
  std::atomic<bool> full_{false};
  bool is_sorted_ = false;
  unsigned threads_ = 1;
  unsigned crew_size_ = 0;
  uint64_t bytes_needed_ = 0;
  WalkCrew crew_;  // last: its threads use the rest
};

}  // namespace cairn::collector
