#include "viewer/analysis/referrers.h"

#include <algorithm>
#include <atomic>

#include "viewer/analysis/parallel.h"

namespace cairn::analysis {
namespace {

constexpr uint64_t kPieceEdges = uint64_t{1} << 18;
constexpr ptrdiff_t kBlockEdges = 64;

// As std::find, but a block at a time: whether a block holds `target` is a test without branches, which the compiler
// turns into a few wide comparisons.
const ObjectIndex* FindTarget(const ObjectIndex* at, const ObjectIndex* end, ObjectIndex target) {
  for (; end - at >= kBlockEdges; at += kBlockEdges) {
    uint32_t hit = 0;
    for (ptrdiff_t i = 0; i < kBlockEdges; ++i) hit |= at[i].value == target.value;
    if (hit) break;
  }
  return std::find(at, end, target);
}

// Calls visit(edge) for the references to `target` in one piece of the edges.
template <class Visit>
void VisitPiece(const HeapGraph& graph, ObjectIndex target, size_t piece, Visit visit) {
  const uint64_t first = piece * kPieceEdges;
  const auto targets = graph.AllTargets();
  const ObjectIndex* const end = targets.data() + std::min<uint64_t>(targets.size(), first + kPieceEdges);
  for (const ObjectIndex* at = targets.data() + first; (at = FindTarget(at, end, target)) != end; ++at) {
    const EdgeOffset edge(static_cast<uint64_t>(at - targets.data()));
    // What leads nowhere is kept as a reference of an object to itself.
    const bool self =
        graph.FirstEdge(target) <= edge && edge.value < graph.FirstEdge(target).value + graph.Targets(target).size();
    if (self && graph.IsUnresolved(target, edge.value - graph.FirstEdge(target).value)) continue;
    visit(edge);
  }
}

size_t Pieces(const HeapGraph& graph) { return (graph.EdgeCount() + kPieceEdges - 1) / kPieceEdges; }

}  // namespace

Result<Referrers> FindReferrers(const HeapGraph& graph, ObjectIndex target, uint64_t limit, unsigned threads,
                                Work& work) {
  const size_t pieces = Pieces(graph);
  std::vector<Referrers> found(pieces);
  work.Begin("finding referrers", pieces);
  CAIRN_TRY(ParallelFor(pieces, threads, work, [&](size_t piece, unsigned) -> Status {
    Referrers& out = found[piece];
    VisitPiece(graph, target, piece, [&](EdgeOffset edge) {
      if (out.total++ >= limit) return;
      const ObjectIndex source = graph.OwnerOf(edge);
      out.edges.push_back({source, edge.value - graph.FirstEdge(source).value});
    });
    return {};
  }));
  Referrers all;
  for (const Referrers& part : found) {
    all.total += part.total;
    const size_t room = static_cast<size_t>(std::min<uint64_t>(limit - all.edges.size(), part.edges.size()));
    all.edges.insert(all.edges.end(), part.edges.begin(), part.edges.begin() + static_cast<int64_t>(room));
  }
  return all;
}

Result<ReferrerSet> ReferrerSet::Find(const HeapGraph& graph, ObjectIndex target, unsigned threads, Work& work) {
  ReferrerSet set;
  std::atomic<uint64_t> count{0};
  CAIRN_TRY(Guarded([&] {
    set.marks_ = FlatArray<uint64_t>(graph.ObjectCount() / 64 + 1);
    work.Begin("finding referrers", Pieces(graph));
    return ParallelFor(Pieces(graph), threads, work, [&](size_t piece, unsigned) -> Status {
      VisitPiece(graph, target, piece, [&](EdgeOffset edge) {
        const ObjectIndex source = graph.OwnerOf(edge);
        const uint64_t bit = uint64_t{1} << source.value % 64;
        const std::atomic_ref<uint64_t> word(set.marks_[source.value / 64]);
        if (!(word.fetch_or(bit, std::memory_order_relaxed) & bit)) count.fetch_add(1, std::memory_order_relaxed);
      });
      return {};
    });
  }));
  set.count_ = count;
  return set;
}

}  // namespace cairn::analysis
