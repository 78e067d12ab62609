#pragma once
// Writes what a session knows as a .gcdump, which PerfView, Visual Studio and dotnet-gcdump read.
// Thread rule: one thread. Memory: that of the graph; nodes are encoded twice instead of held.

#include "viewer/convert/converted.h"
#include "viewer/convert/output_file.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::convert {

// Garbage is written too: nothing refers to it. Errors: those of the session; export.too_large (the format counts nodes
// and their bytes in 31 bits). The file is the caller's to finish.
Result<Converted> WriteGcDump(session::SnapshotSession& session, OutputFile& file, analysis::Work& work);

}  // namespace cairn::convert
