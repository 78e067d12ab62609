#include "viewer/query/snapshot_data.h"

#include <limits>

#include "viewer/analysis/parallel.h"
#include "viewer/analysis/referrers.h"

namespace cairn::query {
namespace {

// So many lookups by target are cheaper by looking at all edges than by sorting them.
constexpr unsigned kScans = 8;

}  // namespace

Result<const analysis::HeapGraph*> SnapshotData::Graph() {
  if (graph_) return graph_;
  const auto graph = session_.Graph(work_);
  if (graph) graph_ = *graph;
  return graph;
}

Result<const session::Dominance*> SnapshotData::Dominators() {
  if (dominance_) return dominance_;
  const auto dominance = session_.Dominators(work_);
  if (dominance) dominance_ = *dominance;
  return dominance;
}

Result<const analysis::Reachability*> SnapshotData::Reached() {
  if (reached_) return reached_;
  const auto reached = session_.Reached(work_);
  if (reached) reached_ = *reached;
  return reached;
}

Status SnapshotData::SortByType(const analysis::HeapGraph& graph) {
  work_.Begin("sorting objects by type", graph.ObjectCount());
  analysis::Stride stride(work_);
  std::vector<uint64_t> next(Summary().types.size() + 1);
  for (uint32_t i = 0; i < graph.ObjectCount(); ++i) ++next[graph.TypeOf(ObjectIndex(i)).value + 1];
  for (size_t type = 1; type < next.size(); ++type) next[type] += next[type - 1];
  std::vector<uint64_t> first = next;
  by_type_ = analysis::FlatArray<uint32_t>(graph.ObjectCount());
  for (uint32_t i = 0; i < graph.ObjectCount(); ++i) {
    by_type_[next[graph.TypeOf(ObjectIndex(i)).value]++] = i;
    if (!stride.Step()) return analysis::WasCancelled();
  }
  first_of_type_ = std::move(first);
  return {};
}

Result<std::span<const uint32_t>> SnapshotData::ObjectsOf(TypeIndex type) {
  if (first_of_type_.empty()) {
    const auto graph = Graph();
    if (!graph) return tl::make_unexpected(graph.error());
    const Status sorted = analysis::Guarded([&] { return SortByType(**graph); });
    if (!sorted) return tl::make_unexpected(sorted.error());
  }
  const uint64_t first = first_of_type_[type.value];
  return std::span<const uint32_t>(by_type_.data() + first, first_of_type_[type.value + 1] - first);
}

Status SnapshotData::SortByTarget(const analysis::HeapGraph& graph) {
  work_.Begin("sorting references by target", graph.EdgeCount());
  analysis::Stride stride(work_);
  const auto targets = graph.AllTargets();
  analysis::FlatArray<uint32_t> next(size_t{graph.ObjectCount()} + 1);
  for (const ObjectIndex target : targets) {
    ++next[target.value];
    if (!stride.Step()) return analysis::WasCancelled();
  }
  // From the end, so that in the end each place is where its own edges start.
  uint32_t sum = 0;
  for (size_t i = 0; i < next.size(); ++i) next[i] = sum += next[i];
  by_target_ = analysis::FlatArray<uint32_t>(targets.size());
  for (uint64_t edge = targets.size(); edge-- > 0;) {
    by_target_[--next[targets[edge].value]] = static_cast<uint32_t>(edge);
    if (!stride.Step()) return analysis::WasCancelled();
  }
  first_to_ = std::move(next);
  return {};
}

Result<std::vector<uint64_t>> SnapshotData::EdgesTo(ObjectIndex target) {
  const auto graph = Graph();
  if (!graph) return tl::make_unexpected(graph.error());
  const bool countable = (*graph)->EdgeCount() < std::numeric_limits<uint32_t>::max();
  if (first_to_.size() == 0 && countable && ++target_lookups_ > kScans) {
    const Status sorted = analysis::Guarded([&] { return SortByTarget(**graph); });
    if (!sorted) return tl::make_unexpected(sorted.error());
  }
  std::vector<uint64_t> edges;
  if (first_to_.size() > 0) {
    for (uint32_t i = first_to_[target.value]; i < first_to_[target.value + 1]; ++i) edges.push_back(by_target_[i]);
    return edges;
  }
  const auto found = analysis::FindReferrers(**graph, target, (*graph)->EdgeCount(), session_.Threads(), work_);
  if (!found) return tl::make_unexpected(found.error());
  for (const analysis::EdgeRef& edge : found->edges)
    edges.push_back((*graph)->FirstEdge(edge.source).value + edge.ordinal);
  return edges;
}

const std::vector<TypeIndex>& SnapshotData::TypesNamed(const std::string& name) {
  static const std::vector<TypeIndex> kNone;
  if (!named_) {
    named_.emplace();
    for (uint32_t i = 0; i < Summary().types.size(); ++i) (*named_)[Summary().types[i].name].push_back(TypeIndex(i));
  }
  const auto at = named_->find(name);
  return at == named_->end() ? kNone : at->second;
}

}  // namespace cairn::query
