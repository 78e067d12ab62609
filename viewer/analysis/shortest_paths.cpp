#include "viewer/analysis/shortest_paths.h"

#include <algorithm>

#include "viewer/analysis/parallel.h"

namespace cairn::analysis {

Result<ShortestPaths> ShortestPaths::Build(const HeapGraph& graph, Work& work) {
  ShortestPaths result;
  CAIRN_TRY(Guarded([&]() -> Status {
    result.parents_ = FlatArray<uint32_t>(graph.ObjectCount());
    result.order_ = FlatArray<ObjectIndex>(graph.ObjectCount());
    work.Begin("finding shortest paths", graph.ObjectCount());
    for (const bool certain : {true, false}) {
      result.Start(graph, certain);
      CAIRN_TRY(result.Search(graph, work));
    }
    result.SortRoots();
    return {};
  }));
  return result;
}

void ShortestPaths::Reach(ObjectIndex object, uint32_t parent) {
  parents_[object.value] = parent;
  order_[reached_++] = object;
}

void ShortestPaths::Start(const HeapGraph& graph, bool certain) {
  const auto roots = graph.Roots().Followed();
  for (uint32_t i = 0; i < roots.size(); ++i) {
    const ObjectIndex object = roots[i].object;
    if (IsCertain(graph.GetSummary(), roots[i]) != certain || IsReachable(object)) continue;
    Reach(object, kFromRoot);
    roots_.push_back({object, RootIndex(i)});
  }
}

void ShortestPaths::SortRoots() {
  std::sort(roots_.begin(), roots_.end(), [](const FirstRoot& a, const FirstRoot& b) { return a.object < b.object; });
}

Status ShortestPaths::Search(const HeapGraph& graph, Work& work) {
  Stride stride(work);
  constexpr uint32_t kAhead = 8;  // the queue tells early what will be read
  for (uint32_t& i = searched_; i < reached_; ++i) {
    if (i + 2 * kAhead < reached_) graph.Offsets().Prefetch(order_[i + 2 * kAhead].value);
    if (i + kAhead < reached_) {
      const auto soon = graph.Targets(order_[i + kAhead]);
      for (size_t edge = 0; edge < std::min<size_t>(soon.size(), kAhead); ++edge)
        __builtin_prefetch(&parents_[soon[edge].value]);
    }
    for (const ObjectIndex target : graph.Targets(order_[i]))
      if (!IsReachable(target)) Reach(target, order_[i].value + 1);
    if (!stride.Step()) return WasCancelled();
  }
  return {};
}

RootIndex ShortestPaths::RootOf(ObjectIndex object) const {
  const auto at = std::lower_bound(roots_.begin(), roots_.end(), object,
                                   [](const FirstRoot& entry, ObjectIndex value) { return entry.object < value; });
  return at != roots_.end() && at->object == object ? at->root : RootIndex();
}

std::optional<ObjectPath> ShortestPaths::PathTo(ObjectIndex object) const {
  if (!IsReachable(object)) return std::nullopt;
  ObjectPath path;
  // Bounded, since parents that were saved elsewhere could go in a circle.
  for (ObjectIndex at = object; at.Valid() && path.objects.size() <= reached_; at = ParentOf(at))
    path.objects.push_back(at);
  std::reverse(path.objects.begin(), path.objects.end());
  path.root = RootOf(path.objects.front());
  if (!path.root.Valid()) return std::nullopt;
  return path;
}

uint64_t ShortestPaths::OrdinalOf(const HeapGraph& graph, ObjectIndex source, ObjectIndex target) {
  const auto targets = graph.Targets(source);
  return static_cast<uint64_t>(std::find(targets.begin(), targets.end(), target) - targets.begin());
}

}  // namespace cairn::analysis
