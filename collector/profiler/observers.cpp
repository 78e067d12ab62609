#include "collector/profiler/observers.h"

#include "collector/events/event_observer.h"
#include "collector/ids/id_observer.h"
#include "collector/il/method_observer.h"
#include "collector/sampling/allocation_observer.h"
#include "collector/sampling/count_observer.h"

namespace cairn::collector {

std::unique_ptr<Observer> MakeObserver(protocol::ObserverKind kind) {
  switch (kind) {
    case protocol::ObserverKind::kEvents:
      return std::make_unique<EventObserver>();
    case protocol::ObserverKind::kAllocations:
      return std::make_unique<AllocationObserver>();
    case protocol::ObserverKind::kAllocationCounts:
      return std::make_unique<CountObserver>();
    case protocol::ObserverKind::kMethods:
      return std::make_unique<il::MethodObserver>();
    case protocol::ObserverKind::kIds:
      return std::make_unique<IdObserver>();
    default:
      return nullptr;
  }
}

}  // namespace cairn::collector
