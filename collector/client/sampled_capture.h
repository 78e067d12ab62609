#pragma once
// A snapshot behind a time in which allocations are sampled: it knows where the sampled objects that it holds came from.

#include <chrono>

#include "collector/client/capture_session.h"
#include "collector/client/machine.h"

namespace cairn::client {

// As Capture; the request is a light one. Cancelled while it samples, there is no snapshot.
Result<CaptureResult> CaptureSampledOn(const Machine& machine, CaptureRequest request,
                                       std::chrono::milliseconds duration,
                                       const std::function<void(const CaptureProgress&)>& progress,
                                       const std::atomic<bool>& cancel);
Result<CaptureResult> CaptureSampled(CaptureRequest request, std::chrono::milliseconds duration,
                                     const std::function<void(const CaptureProgress&)>& progress,
                                     const std::atomic<bool>& cancel);

}  // namespace cairn::client
