#pragma once
// Which observer an attach asks for, and how it is made. A new one is a value of protocol::ObserverKind, and a line in
// the list that the profiler hands to the observation (collector/profiler/observers.cpp).

#include <memory>

#include "collector/observing/observer.h"
#include "collector/protocol/protocol.h"

namespace cairn::collector {

// Empty: a kind that this collector does not know.
using ObserverMaker = std::unique_ptr<Observer> (*)(protocol::ObserverKind kind);

}  // namespace cairn::collector
