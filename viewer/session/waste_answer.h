#pragma once
// What memory is wasted on, and who holds the copies.
// Thread rule: pure functions apart from the session's own.

#include <string>
#include <vector>

#include "viewer/analysis/dotnet/waste.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::session {

struct WasteAnswer {
  analysis::dotnet::Waste waste;
  // By duplicate, of the first ones: by what their copies are held, the most frequent first, at most three:
  // "Shop.Order.Currency", "elements of System.String[]", "static Shop.Names.Default".
  std::vector<std::vector<std::string>> holders;
};

// `with_holders`: of how many duplicates. Holders are those on the shortest paths of some of the copies.
Result<WasteAnswer> FindWaste(SnapshotSession& session, uint64_t with_holders, analysis::Work& work);

}  // namespace cairn::session
