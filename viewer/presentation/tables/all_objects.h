#pragma once
// Every object, garbage included, in address order: what an export holds.

#include "viewer/presentation/tables/table.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::presentation {

// Streams; nothing is held. Errors: those of the session. Returns the number of rows.
Result<uint64_t> StreamAllObjects(session::SnapshotSession& session, RowSink& sink, analysis::Work& work);

}  // namespace cairn::presentation
