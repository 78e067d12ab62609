#pragma once
// What a collector that observes, or stayed behind an observation, says of itself to whoever connects to its control
// socket: the payload of a kObserving frame there. Where it takes captures meanwhile, its kHello follows.

#include "collector/protocol/protocol.h"

namespace cairn::protocol {

struct Occupation {
  ObserverKind kind{};  // none: it waits for orders
  bool takes_captures = false;
  bool stays = false;   // its runtime lets it go no more
};
template <class A> void Fields(A& a, Occupation& m) { a(m.kind); a(m.takes_captures); a(m.stays); }

}  // namespace cairn::protocol
