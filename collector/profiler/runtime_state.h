#pragma once
// What one runtime of the process has of ours, whatever place the library is loaded in there. A process may have
// several runtimes, which share the library but nothing of this. Ownership: never destroyed. Thread rule: StateOf from
// any thread.

#include "collector/capture/capture_service.h"
#include "collector/observing/observation_session.h"
#include "collector/profiler/observers.h"
#include "collector/profiler/resident_collector.h"
#include "collector/tracking/tracking_session.h"

namespace cairn::collector {

struct RuntimeState {
  CaptureService service;
  ResidentCollector resident{service};
  TrackingSession tracking{service};
  ObservationSession observing{service, MakeObserver};
};

// The one of the runtime that this interface belongs to. nullptr: of none, for callbacks that come before it is known.
RuntimeState& StateOf(abi::IUnknown* runtime);

}  // namespace cairn::collector
