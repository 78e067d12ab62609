#pragma once
// A snapshot with something of everything: types of each shape, gaps, contents, roots, handles, threads, methods.

#include <string>

#include "snapshot-format/testing/snapshot_builder.h"

namespace cairn::hostile {

snapshot::testing::SnapshotBuilder SmallSnapshot();

// A folder of this process in memory, removed at its end.
const std::string& ScratchFolder();

}  // namespace cairn::hostile
