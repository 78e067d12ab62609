#pragma once
// The IDs that a snapshot holds, in the form of those of a process: modules, classes by their method tables, methods of
// delegates by where their code begins, methods of allocation stacks, threads. Of modules, of threads and of methods of
// stacks a snapshot keeps what they are, not what the runtime called them: their `id` is 0.
// Thread rule: that of the reader.

#include <vector>

#include "collector/protocol/id_observation.h"
#include "snapshot-format/file/snapshot_reader.h"

namespace cairn::cli {

// With an ID in the wishes: that one, and of a class also where each of its fields lies.
Result<std::vector<protocol::IdRow>> SnapshotIds(snapshot::SnapshotReader& reader, const protocol::IdWishes& wishes);

}  // namespace cairn::cli
