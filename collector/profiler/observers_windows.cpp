#include "collector/profiler/observers.h"

namespace cairn::collector {

// None is made for Windows yet: what asks for one is refused.
std::unique_ptr<Observer> MakeObserver(protocol::ObserverKind) { return nullptr; }

}  // namespace cairn::collector
