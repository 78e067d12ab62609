#pragma once
// Objects that only event handlers, only timers, or only static collections keep alive: reachable, but no longer
// where the holders of that kind are taken out of the heap. Exact: an object that anything else holds as well is
// not among them, and one that two holders of the kind share is.
// Thread rule: pure functions apart from the session's own.

#include <vector>

#include "viewer/session/snapshot_session.h"

namespace cairn::session {

enum class HolderKind {
  kEvent,             // delegates of event types or in an event's field (a capital letter: C# names it like the event),
                      // and whatever hangs in the list of a delegate with several targets
  kTimer,             // what the runtime's timer queues hold
  kStaticCollection,  // collections that only static fields keep alive
};

// By ObjectIndex. The holders themselves are not among them.
// Complexity: linear in objects and edges; a bit per object kept, two while it works.
Result<std::vector<bool>> HeldOnlyBy(SnapshotSession& session, HolderKind kind, analysis::Work& work);

}  // namespace cairn::session
