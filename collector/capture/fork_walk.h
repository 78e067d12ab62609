#pragma once
// The walk by a forked child. The pause lasts as long as the fork; the child has the heap as it was. Its first
// pass reads headers only and makes the types known through shared memory; the second encodes and sends over
// the child's own socket, while the collector names the types and leaves the runtime.
// Thread rule: see HeapWalk. Ownership: observes `memory` (outlives it), owns the socket and the child, which
// it ends and reaps when destroyed.

#include <sys/types.h>

#include <functional>
#include <string>

#include "collector/capture/child_memory.h"
#include "collector/capture/child_stream.h"
#include "collector/capture/context_keeper.h"
#include "collector/capture/heap_walk.h"
#include "collector/protocol/messages.h"

namespace cairn::collector {

class ForkWalk final : public HeapWalk {
 public:
  struct Setup {
    int socket = -1;  // connected; `frames_sent` were sent on it
    uint64_t frames_sent = 0;
    uint32_t deadline_ms = 0;
    std::string group;  // control group whose memory the child watches; empty: none
    uint64_t least_memory = 0;
  };
  // `memory` is mapped.
  ForkWalk(const LayoutPolicy& layout, ChildMemory& memory, Setup setup);
  ~ForkWalk() override;

  // ---- in the pause ----
  // The child's first pass, made here: at 4 ns per object, where something must be asked about the types before
  // the application runs again. False: too many ranges.
  bool CountTypes(std::span<HeapRange> ranges, WalkReport& report);
  std::span<WalkedType> CountedTypes() { return walker_->TypesAsCounted(); }
  // Where the types are counted by the child: it finds their contexts too, and the application stands still until no
  // unloading can change what the child reads. `contexts` outlives the walk.
  void AssignContexts(const ContextKeeper& contexts) { contexts_ = &contexts; }
  // False: the system refuses to fork or to copy, or there are too many ranges.
  bool Run(std::span<HeapRange> ranges, WalkReport& report) override;
  double ForkMs() const { return fork_ms_; }

  // ---- after the pause ----
  // Asked while waiting for the child; true ends the wait.
  void StopWhen(std::function<bool()> stop) { stop_ = std::move(stop); }
  bool FinishTypes(std::span<HeapRange> ranges, WalkReport& report) override;
  std::span<const WalkedType> Types() const override { return walker_->TypesAsCounted(); }
  void VisitCode(const std::function<void(const CodeTable&)>& visit) const override { visit(walker_->Code()); }
  SendOutcome Send(ClientChannel& channel, const TypeRanking& ranking, const Between& between,
                   uint64_t* chunks) override;
  unsigned Threads() const override { return 1; }
  bool IsForked() const override { return true; }
  const protocol::ChildEnd& End() const { return end_; }
  pid_t Child() const { return child_; }

 private:
  static ChildStream::Parts PartsOf(const ChildMemory& memory, const Setup& setup);
  [[noreturn]] void RunChild(size_t ranges);
  void OwnPages();
  // In the pause. False: the child could not, or is dead.
  bool WaitForOwnPages();
  void Count(size_t ranges);
  protocol::ChildFate WalkAndSend(size_t ranges);
  // True when the child is gone; fills end_.
  bool Reap(bool wait);
  void Kill();

  ChildMemory& memory_;
  Setup setup_;
  ChildStream stream_;
  HeapWalker* walker_;  // in shared memory
  const ContextKeeper* contexts_ = nullptr;
  pid_t child_ = -1;
  bool counted_ = false;
  bool reaped_ = false;
  uint64_t forked_ns_ = 0;
  double fork_ms_ = 0;
  std::function<bool()> stop_;
  protocol::ChildEnd end_;
};

}  // namespace cairn::collector
