#pragma once
// Which observers this library has.

#include <memory>

#include "collector/observing/observer.h"
#include "collector/protocol/protocol.h"

namespace cairn::collector {

// Empty: a kind that it does not have.
std::unique_ptr<Observer> MakeObserver(protocol::ObserverKind kind);

}  // namespace cairn::collector
