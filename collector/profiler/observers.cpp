#include "collector/profiler/observers.h"

namespace cairn::collector {

std::unique_ptr<Observer> MakeObserver(protocol::ObserverKind kind) {
  switch (kind) {
    default:
      return nullptr;
  }
}

}  // namespace cairn::collector
