#include "viewer/analysis/referrers.h"

#include <algorithm>

#include "viewer/analysis/parallel.h"

namespace cairn::analysis {
namespace {

constexpr uint64_t kPieceEdges = uint64_t{1} << 22;

Status FindIn(const HeapGraph& graph, ObjectIndex target, uint64_t limit, uint64_t first, Referrers& out) {
  const auto targets = graph.AllTargets();
  const auto end = targets.begin() + static_cast<int64_t>(std::min<uint64_t>(targets.size(), first + kPieceEdges));
  for (auto at = targets.begin() + static_cast<int64_t>(first); (at = std::find(at, end, target)) != end; ++at) {
    const EdgeOffset edge(static_cast<uint64_t>(at - targets.begin()));
    // Unless it is one of many and only counted, its owner decides whether it is a reference at all.
    const bool self =
        graph.FirstEdge(target) <= edge && edge.value < graph.FirstEdge(target).value + graph.Targets(target).size();
    if (self && graph.IsUnresolved(target, edge.value - graph.FirstEdge(target).value)) continue;
    ++out.total;
    if (out.edges.size() >= limit) continue;
    const ObjectIndex source = graph.OwnerOf(edge);
    out.edges.push_back({source, edge.value - graph.FirstEdge(source).value});
  }
  return {};
}

}  // namespace

Result<Referrers> FindReferrers(const HeapGraph& graph, ObjectIndex target, uint64_t limit, unsigned threads,
                                Work& work) {
  const size_t pieces = (graph.EdgeCount() + kPieceEdges - 1) / kPieceEdges;
  std::vector<Referrers> found(pieces);
  work.Begin("finding referrers", pieces);
  CAIRN_TRY(ParallelFor(pieces, threads, work, [&](size_t piece, unsigned) {
    return FindIn(graph, target, limit, piece * kPieceEdges, found[piece]);
  }));
  Referrers all;
  for (const Referrers& part : found) {
    all.total += part.total;
    const size_t room = static_cast<size_t>(std::min<uint64_t>(limit - all.edges.size(), part.edges.size()));
    all.edges.insert(all.edges.end(), part.edges.begin(), part.edges.begin() + static_cast<int64_t>(room));
  }
  return all;
}

}  // namespace cairn::analysis
