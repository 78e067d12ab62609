#pragma once
// Before the pause: makes the walks that the pause may choose from.
// Call-site rule: on the capture thread, with the mask set, outside callbacks.

#include "collector/capture/capture_context.h"
#include "collector/capture/refusal.h"

namespace cairn::collector {

// How a connection to the client begins. `of_child`: the second one of a capture.
protocol::Hello Greeting(const CaptureContext& capture, bool of_child);

// Modules of load contexts that may be unloaded.
bool HasCollectibleModules(abi::ICorProfilerInfo10* info);

// nullptr, or why the way that was asked for is closed.
const Refusal* SetUpWalks(CaptureContext& capture);

}  // namespace cairn::collector
