#pragma once
// Objects that say of themselves that they were disposed: a field of the usual names that is not 0.
// Thread rule: pure functions apart from the session's own.

#include <vector>

#include "viewer/session/snapshot_session.h"

namespace cairn::session {

struct DisposedObjects {
  std::vector<bool> disposed;  // by ObjectIndex, of the types asked for
  // By TypeIndex, of the types asked for that have reachable objects.
  std::vector<bool> flagged;  // they have such a field
  std::vector<bool> known;    // and the snapshot keeps its value
};

// `types`: by TypeIndex. Complexity: one decoding of every chunk.
Result<DisposedObjects> FindDisposed(SnapshotSession& session, const std::vector<bool>& types, analysis::Work& work);

}  // namespace cairn::session
