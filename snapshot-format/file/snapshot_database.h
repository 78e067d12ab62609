#pragma once
// Opens the SQLite database of a snapshot so that nothing is written beside it and nothing of its own
// (views, triggers, virtual tables) can run. Private to snapshot-format/file.

#include <string>

#include "snapshot-format/file/sqlite.h"

namespace cairn::snapshot {

// Read-only and immutable: no lock, no journal, no -wal or -shm, also on a read-only medium.
Result<Database> OpenSnapshotDatabase(const std::string& path);

}  // namespace cairn::snapshot
