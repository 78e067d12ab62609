#pragma once
// Everything a session computes at its first use. Private to viewer/session.

#include <memory>

#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/reachability.h"
#include "viewer/analysis/shortest_paths.h"
#include "viewer/session/computed.h"
#include "viewer/session/dominance.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::session {

struct SnapshotSession::TypeTotals {
  std::vector<GroupTotals> of_type;  // by TypeIndex
  // What the graph could not resolve, which every answer comes with.
  uint64_t unresolved_edges = 0, unresolved_roots = 0, unresolved_dependents = 0;

  void Save(analysis::ArrayList& out) const;
  static std::optional<TypeTotals> FromSaved(analysis::ArrayTaker from, size_t types);
};

struct SnapshotSession::Lazy {
  Computed<analysis::HeapGraph> graph;
  Computed<analysis::Reachability> reachability;
  Computed<Dominance> dominance;
  Computed<analysis::ShortestPaths> paths;
  Computed<TypeTotals> totals;
  // As ResultStore::Computing, where there is one.
  std::shared_ptr<void> Computing() { return store ? store->Computing() : nullptr; }

  std::unique_ptr<ResultStore> store;  // null: nothing is kept; after what it writes, so that it goes first
};

}  // namespace cairn::session
