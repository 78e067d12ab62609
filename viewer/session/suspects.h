#pragma once
// Which groups of objects look like a leak: many under few holders that retain much of the heap; or, against an
// earlier snapshot, groups that grew although what holds them did not.
// Thread rule: pure functions apart from the session's own.

#include <cstdint>
#include <vector>

#include "viewer/session/snapshot_session.h"

namespace cairn::session {

struct Suspect {
  PathGroup group;
  uint64_t objects_before = 0, retained_before = 0;  // in the base; 0 without one
  std::string sense;                                 // of the members, to a .NET programmer; of the first suspects only
  ObjectIndex accumulation_point;                    // what keeps the members alive; itself where nothing else does
};

// Positions in `head`, the most suspicious first. `base`: the groups of an earlier snapshot, or null.
// A leak that another leak carries is one of its own only where it grows faster than its carrier.
std::vector<uint32_t> SuspectGroups(const std::vector<PathGroup>& head, const std::vector<PathGroup>* base,
                                    uint64_t reachable_bytes);

Result<std::vector<Suspect>> FindSuspects(SnapshotSession& head, const std::vector<PathGroup>* base,
                                          analysis::Work& work);

}  // namespace cairn::session
