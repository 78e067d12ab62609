#pragma once
// A session with what only queries need: objects by type, edges by target. Made at first use, then kept.
// Thread rule: one thread. Ownership: observes session and work.

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "viewer/analysis/flat_array.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/session/dominance.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::query {

using analysis::ObjectIndex;
using analysis::TypeIndex;

class SnapshotData {
 public:
  // `number` is the snapshot's in the column `snapshot`: 1, 2, …
  SnapshotData(session::SnapshotSession& session, int64_t number, analysis::Work& work)
      : session_(session), number_(number), work_(work) {}

  session::SnapshotSession& Session() { return session_; }
  const snapshot::Summary& Summary() const { return session_.GetSummary(); }
  int64_t Number() const { return number_; }
  analysis::Work& Work() { return work_; }

  Result<const analysis::HeapGraph*> Graph();
  Result<const session::Dominance*> Dominators();
  Result<const analysis::Reachability*> Reached();
  // Ascending. Complexity: once linear in objects, 4 bytes for each.
  Result<std::span<const uint32_t>> ObjectsOf(TypeIndex type);
  // Positions in the one array of all edges, ascending. The first few by a look over all edges; then, once, linear in
  // edges, 4 bytes for each and 4 for each object.
  Result<std::vector<uint64_t>> EdgesTo(ObjectIndex target);
  // Types of that name.
  const std::vector<TypeIndex>& TypesNamed(const std::string& name);

 private:
  Status SortByType(const analysis::HeapGraph& graph);
  Status SortByTarget(const analysis::HeapGraph& graph);

  session::SnapshotSession& session_;
  const int64_t number_;
  analysis::Work& work_;
  const analysis::HeapGraph* graph_ = nullptr;
  const session::Dominance* dominance_ = nullptr;
  const analysis::Reachability* reached_ = nullptr;
  std::vector<uint64_t> first_of_type_;  // by type and one more; empty until sorted
  analysis::FlatArray<uint32_t> by_type_;
  unsigned target_lookups_ = 0;
  analysis::FlatArray<uint32_t> first_to_;  // by target and one more; empty until sorted
  analysis::FlatArray<uint32_t> by_target_;
  std::optional<std::unordered_map<std::string, std::vector<TypeIndex>>> named_;
};

}  // namespace cairn::query
