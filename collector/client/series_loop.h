#pragma once
// A series of snapshots: waits for what makes one due, takes it, lets go of old ones, until it is over. What it
// touches (clock, process, files) is a world of its own, so that tests can make one up.
// Thread rule: Run blocks its thread; `cancel` may be set from anywhere.

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "collector/client/capture_session.h"
#include "collector/client/series_keeper.h"
#include "collector/client/series_plan.h"

namespace cairn::client {

class SeriesWorld {
 public:
  virtual ~SeriesWorld() = default;
  virtual Clock::time_point Now() = 0;
  virtual void Sleep(milliseconds time) = 0;
  virtual bool TargetIsThere() = 0;
  // Nothing: not measured yet, or not at all.
  virtual std::optional<HeapReading> Heap() = 0;
  // The heap of a snapshot just taken, measured like Heap.
  virtual uint64_t HeapOf(const CaptureResult& captured) = 0;
  virtual Result<CaptureResult> Capture() = 0;
  // Somebody wants a snapshot; each time that it is true stands for one. Nobody will want one any more.
  virtual bool IsAsked() { return false; }
  virtual bool AskingEnded() { return false; }
  // Why no snapshot can follow any more; nothing: one can.
  virtual std::optional<Error> Ended() { return std::nullopt; }
  virtual void Remove(const std::string& path) = 0;
};

struct SeriesEvents {
  std::function<void(const CaptureResult&, SnapshotCause)> on_snapshot;
  std::function<void(const std::string& path)> on_removed;
  std::function<void(const std::string& sentence)> on_note;  // why something takes longer, for people
};

struct SeriesResult {
  uint64_t snapshots = 0, dropped = 0;
  SeriesEnd end{};
  std::optional<Error> error;  // what ended it, where it was none of the ends
};

// True where the same capture may succeed a little later: another one is going on, a background collection.
bool IsTransient(const Error& error);

class SeriesLoop {
 public:
  // `over_bytes`: --when-heap-over in bytes. Parts must outlive the loop.
  SeriesLoop(const SeriesOptions& options, std::optional<uint64_t> over_bytes, SeriesWorld& world,
             const SeriesEvents& events, const std::atomic<bool>& cancel);

  // An error only where there is no snapshot at all: that of the capture, or target.exited.
  Result<SeriesResult> Run();

 private:
  enum class Next { kGoOn, kTargetGone };
  std::optional<SnapshotCause> Due();
  Result<Next> Take(SnapshotCause cause);
  Result<Next> Failed(SnapshotCause cause, const Error& error);
  void Keep(const CaptureResult& captured);
  Result<SeriesResult> Over(SeriesEnd end);
  Result<SeriesResult> Broken(const Error& error);

  SeriesWorld& world_;
  const SeriesEvents& events_;
  const std::atomic<bool>& cancel_;
  SeriesPlan plan_;
  SeriesKeeper keeper_;
  uint64_t dropped_ = 0;
  // A capture that was refused for the moment, and is tried again.
  std::optional<SnapshotCause> waiting_;
  std::optional<Error> last_error_;
  Clock::time_point first_failure_, next_try_;
  milliseconds pause_{};
};

}  // namespace cairn::client
