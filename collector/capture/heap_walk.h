#pragma once
// One way to get the heap's objects out: PauseWalk encodes them while the application stands still, ForkWalk
// forks in the pause and lets the child do it. What differs before and in the pause is in pause_step; behind
// it they look the same.
// Thread rule: Run in the pause; the rest on the capture thread after it.

#include <cstdint>
#include <functional>
#include <span>

#include "collector/capture/client_channel.h"
#include "collector/capture/type_ranking.h"
#include "collector/contents/code_table.h"
#include "collector/walk/walk_report.h"
#include "collector/walk/walked_type.h"

namespace cairn::collector {

enum class SendOutcome : uint8_t { kSent, kClientGone, kFailed };

class HeapWalk {
 public:
  // Runs between chunks with the number of chunks sent so far.
  using Between = std::function<void(uint64_t)>;

  virtual ~HeapWalk() = default;

  // False: it did not work, and another way may be tried in the same pause.
  virtual bool Run(std::span<HeapRange> ranges, WalkReport& report) = 0;

  // Waits until types and counts are complete, and fills `ranges` and `report`. False: they will never be.
  virtual bool FinishTypes(std::span<HeapRange> ranges, WalkReport& report) = 0;
  // After FinishTypes: each type once, with its counts.
  virtual std::span<const WalkedType> Types() const = 0;
  // After FinishTypes: what delegates point to, some addresses more than once.
  virtual void VisitCode(const std::function<void(const CodeTable&)>& visit) const = 0;
  // Sees to it that all chunks reach the client. `ranking` is of Types.
  virtual SendOutcome Send(ClientChannel& channel, const TypeRanking& ranking, const Between& between,
                           uint64_t* chunks) = 0;
  virtual unsigned Threads() const = 0;
  // Chunks come on a stream of their own, from a child.
  virtual bool IsForked() const { return false; }
};

}  // namespace cairn::collector
