#pragma once
// What one object is to a .NET programmer: "subscriber of Shop.Prices.Changed, disposed".
// Thread rule: pure functions apart from the session's own.

#include <string>

#include "viewer/session/snapshot_session.h"

namespace cairn::session {

// By the end of its shortest path and by its values; empty where its type says it all. Errors: object.missing.
Result<std::string> SenseOf(SnapshotSession& session, ObjectIndex object, analysis::Work& work);

}  // namespace cairn::session
