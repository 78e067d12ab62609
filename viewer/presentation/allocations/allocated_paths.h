#pragma once
// Where the objects of each path were allocated, as far as they were sampled.
// Thread rule: pure functions.

#include <vector>

#include "viewer/presentation/allocations/allocated_at.h"

namespace cairn::presentation {

// In the order of SnapshotSession::Paths for objects of these types, by TypeIndex: of the objects that have the path
// only. None where allocations were not sampled. Complexity: that of the paths.
Result<std::vector<AllocationSites>> AllocationSitesByPath(session::SnapshotSession& session,
                                                           const std::vector<bool>& types, analysis::Work& work);

}  // namespace cairn::presentation
