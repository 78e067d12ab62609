#include "collector/client/sampled_capture.h"

#include <thread>

#include "collector/client/allocation_tracker.h"
#include "collector/client/capture_request.h"
#include "collector/client/on_machine.h"

namespace cairn::client {

namespace {

constexpr milliseconds kSlice{50};

// Until the time is over, somebody cancels, or the collector is gone.
std::optional<Error> Sample(const AllocationTracker& tracker, milliseconds duration,
                            const std::function<void(const CaptureProgress&)>& progress,
                            const std::atomic<bool>& cancel) {
  const auto until = Clock::now() + duration;
  if (progress) progress({protocol::CaptureState::kAttached, 0, 0, "sampling allocations"});
  for (; Clock::now() < until; std::this_thread::sleep_for(kSlice)) {
    if (cancel) return Error{ErrorKind::kFailed, "capture.cancelled", "The capture was cancelled.", ""};
    if (auto ended = tracker.Ended()) return ended;
  }
  return std::nullopt;
}

}  // namespace

Result<CaptureResult> CaptureSampledOn(const Machine& machine, CaptureRequest request, milliseconds duration,
                                       const std::function<void(const CaptureProgress&)>& progress,
                                       const std::atomic<bool>& cancel) {
  request.light = true;
  CAIRN_TRY(CheckRequest(request));
  if (!request.output.empty()) CAIRN_TRY(CheckOutput(request.output, request.overwrite));
  const auto tracker = AllocationTracker::Start(machine, request, cancel);
  if (!tracker) return tl::make_unexpected(tracker.error());
  if (auto ended = Sample(**tracker, duration, progress, cancel)) return tl::make_unexpected(*ended);
  request.allocations = tracker->get();
  return CaptureOn(machine, request, progress, cancel);
}

Result<CaptureResult> CaptureSampled(CaptureRequest request, milliseconds duration,
                                     const std::function<void(const CaptureProgress&)>& progress,
                                     const std::atomic<bool>& cancel) {
  return CaptureSampledOn(Machine::This(), std::move(request), duration, progress, cancel);
}

}  // namespace cairn::client
