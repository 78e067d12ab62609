#include "collector/client/series_loop.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cairn::client {
namespace {

// How late a series may notice that something became due.
constexpr milliseconds kTick{100};
constexpr milliseconds kFirstPause{1000}, kLongestPause{10000};
// Refusals that last longer are no longer called transient.
constexpr milliseconds kPatience{60000};

constexpr std::array<std::string_view, 18> kTransient = {"attach.concurrent_gc",
                                                         "attach.in_progress",
                                                         "attach.not_yet",
                                                         "attach.detaching",
                                                         "attach.suspending",
                                                         "attach.timeout",
                                                         "attach.no_connection",
                                                         "attach.resident",
                                                         "attach.cancelled",
                                                         "capture.busy",
                                                         "gc.timeout",
                                                         "gc.refused",
                                                         "gc.missed",
                                                         "gc.no_roots",
                                                         "gc.no_bounds",
                                                         "target.silent",
                                                         "target.not_responding",
                                                         "ipc.busy"};

}  // namespace

bool IsTransient(const Error& error) {
  return std::find(kTransient.begin(), kTransient.end(), error.code) != kTransient.end();
}

SeriesLoop::SeriesLoop(const SeriesOptions& options, std::optional<uint64_t> over_bytes, SeriesWorld& world,
                       const SeriesEvents& events, const std::atomic<bool>& cancel)
    : world_(world),
      events_(events),
      cancel_(cancel),
      plan_(options, over_bytes, world.Now()),
      keeper_(options.keep_last, options.max_disk_bytes) {}

Result<SeriesResult> SeriesLoop::Run() {
  for (;;) {
    if (cancel_) return Over(SeriesEnd::kInterrupted);
    if (const auto end = plan_.Ended(world_.Now())) return Over(*end);
    if (!world_.TargetIsThere()) return Over(SeriesEnd::kTargetExited);
    if (const auto ended = world_.Ended()) return Broken(*ended);
    if (!waiting_ && plan_.Snapshots() > 0 && world_.AskingEnded()) return Over(SeriesEnd::kInputEnded);
    const auto cause = Due();
    if (!cause) {
      world_.Sleep(kTick);
      continue;
    }
    const auto next = Take(*cause);
    if (!next) return Broken(next.error());
    if (*next == Next::kTargetGone) return Over(SeriesEnd::kTargetExited);
  }
}

std::optional<SnapshotCause> SeriesLoop::Due() {
  if (waiting_) return world_.Now() >= next_try_ ? waiting_ : std::nullopt;
  const auto due = plan_.Due(world_.Now(), world_.Heap());
  return !due && world_.IsAsked() ? SnapshotCause::kLine : due;
}

Result<SeriesLoop::Next> SeriesLoop::Take(SnapshotCause cause) {
  const auto captured = world_.Capture();
  if (!captured) return Failed(cause, captured.error());
  waiting_.reset();
  last_error_.reset();
  const auto heap = world_.Heap();
  plan_.Captured(world_.Now(), world_.HeapOf(*captured), heap ? heap->number : 0);
  events_.on_snapshot(*captured, cause);
  Keep(*captured);
  return Next::kGoOn;
}

void SeriesLoop::Keep(const CaptureResult& captured) {
  for (const std::string& path : keeper_.Add(captured.path, captured.file_bytes)) {
    world_.Remove(path);
    ++dropped_;
    events_.on_removed(path);
  }
}

Result<SeriesLoop::Next> SeriesLoop::Failed(SnapshotCause cause, const Error& error) {
  if (cancel_) return Next::kGoOn;
  if (error.code == "target.exited" || !world_.TargetIsThere()) return Next::kTargetGone;
  // A process that ends takes its socket away before it is gone.
  const bool may_be_ending = error.code == "target.no_socket" && plan_.Snapshots() > 0;
  if (!IsTransient(error) && !may_be_ending) return tl::make_unexpected(error);
  const auto now = world_.Now();
  if (!waiting_) {
    first_failure_ = now;
    pause_ = kFirstPause;
  }
  if (now - first_failure_ >= kPatience) return tl::make_unexpected(error);
  waiting_ = cause;
  last_error_ = error;
  next_try_ = now + pause_;
  pause_ = std::min(2 * pause_, kLongestPause);
  events_.on_note(error.message + " It is tried again.");
  return Next::kGoOn;
}

Result<SeriesResult> SeriesLoop::Over(SeriesEnd end) {
  const bool none = plan_.Snapshots() == 0;
  if (none && end == SeriesEnd::kTargetExited)
    return Fail(ErrorKind::kFailed, "target.exited", "The process ended before a snapshot of it could be taken.",
                "Start it again.");
  if (none && end == SeriesEnd::kDuration && last_error_) return tl::make_unexpected(*last_error_);
  return SeriesResult{plan_.Snapshots(), dropped_, end, std::nullopt};
}

Result<SeriesResult> SeriesLoop::Broken(const Error& error) {
  if (plan_.Snapshots() == 0) return tl::make_unexpected(error);
  return SeriesResult{plan_.Snapshots(), dropped_, SeriesEnd::kTargetExited, error};
}

}  // namespace cairn::client
