#pragma once
// What the small tables must satisfy beyond their types: indices inside their tables, ranges in order,
// chunks in sequence. Private to snapshot-format/file.

#include <string>
#include <vector>

#include "snapshot-format/file/chunk_row.h"
#include "snapshot-format/file/limits.h"
#include "snapshot-format/file/model.h"

namespace cairn::snapshot {

// Each returns an empty string or what is wrong.
std::string CheckSummary(const Summary& summary, const Limits& limits);
// Ranges in order, not overlapping, not empty.
std::string CheckIdentity(const Tracking& tracking);
// Stacks and methods that are there, frames behind their parents, objects in order.
std::string CheckSampling(const Sampling& sampling);
// `chunks` by (range, sequence).
std::string CheckChunks(const std::vector<StoredChunk>& chunks, const Summary& summary, const Limits& limits);

}  // namespace cairn::snapshot
