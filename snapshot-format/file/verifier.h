#pragma once
// Checks every frame, count and reference of a snapshot.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "snapshot-format/file/snapshot_reader.h"

namespace cairn::snapshot {

struct VerifyReport {
  uint64_t frames = 0;  // columns whose checksum and content were checked
  uint64_t objects = 0;
  uint64_t edges = 0;
  std::vector<std::string> errors;  // empty: the file says the truth about itself; at most 100, then a count
};

// Decodes every chunk twice and checks: checksums; object, free and edge counts per range, type and in
// total against the summary; objects plus gaps = range, exactly; every reference, root, dependent handle
// and loader allocator points at the start of an object (an interior root anywhere into a range); a cut
// array goes on where it stopped; the fields of every type. A chunk that cannot be read is an error of
// the report, and the others are still checked. `progress` gets steps done and all, two per chunk;
// returning false cancels (error verify.cancelled). Memory: one bit per 8 bytes of heap range.
Result<VerifyReport> Verify(SnapshotReader& reader, const std::function<bool(uint64_t, uint64_t)>& progress = {});

}  // namespace cairn::snapshot
