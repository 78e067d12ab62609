#pragma once
// Writes what a session knows as a .heapsnapshot, which the memory panel of Chrome and Edge, MemLab and others read.
// Thread rule: one thread. Memory: that of the graph, and names: objects and references are written as they are read.

#include "viewer/convert/converted.h"
#include "viewer/convert/output_file.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::convert {

// Errors: those of the session; export.too_large (readers keep places of nodes in 32 bits). The file is the caller's to
// finish.
Result<Converted> WriteHeapSnapshot(session::SnapshotSession& session, OutputFile& file, analysis::Work& work);

}  // namespace cairn::convert
