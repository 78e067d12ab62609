// Sums over many objects: reachable and retained, by type and by group.

#include <algorithm>
#include <functional>

#include "viewer/analysis/type_groups.h"
#include "viewer/session/dominance.h"
#include "viewer/session/lazy.h"

namespace cairn::session {

using analysis::HeapGraph;
using analysis::Work;

namespace {

// Numbers every object's group, and names the groups.
struct Groups {
  std::vector<GroupRow> rows;
  std::function<size_t(ObjectIndex)> of;
};

void Name(Groups& groups, std::vector<std::string> names) {
  for (std::string& name : names) groups.rows.emplace_back().name = std::move(name);
}

Groups GroupByTypes(const HeapGraph& graph, analysis::TypeGroups by) {
  Groups groups;
  Name(groups, std::move(by.names));
  groups.of = [&graph, of_type = std::move(by.of_type)](ObjectIndex object) {
    return of_type[graph.TypeOf(object).value];
  };
  return groups;
}

Groups GroupByType(const HeapGraph& graph) {
  Groups groups;
  for (const snapshot::Type& type : graph.GetSummary().types) {
    GroupRow& row = groups.rows.emplace_back();
    row.name = type.name;
    row.type = TypeIndex(static_cast<uint32_t>(groups.rows.size() - 1));
  }
  groups.of = [&graph](ObjectIndex object) { return graph.TypeOf(object).value; };
  return groups;
}

// Objects of a range are consecutive: the range is found again only where it ends.
Groups GroupByGeneration(const HeapGraph& graph) {
  Groups groups;
  for (unsigned i = 0; i < snapshot::kGenerationCount; ++i)
    groups.rows.emplace_back().name = snapshot::GenerationName(static_cast<snapshot::Generation>(i));
  groups.of = [&graph, first = ObjectIndex(1), end = ObjectIndex(0),
               generation = size_t{0}](ObjectIndex object) mutable {
    if (object < first || object >= end) {
      const uint32_t range = graph.RangeOf(object);
      first = graph.FirstOf(range);
      end = graph.FirstOf(range + 1);
      generation = static_cast<size_t>(graph.GetSummary().ranges[range].generation);
    }
    return generation;
  };
  return groups;
}

Groups GroupBy(Grouping grouping, const HeapGraph& graph) {
  switch (grouping) {
    case Grouping::kNamespace:
      return GroupByTypes(graph, analysis::GroupByNamespace(graph.GetSummary().types));
    case Grouping::kModule:
      return GroupByTypes(graph, analysis::GroupByModule(graph.GetSummary()));
    case Grouping::kGeneration:
      return GroupByGeneration(graph);
    case Grouping::kType:
      break;
  }
  return GroupByType(graph);
}

// `group_of(object)` is below `groups`.
template <class GroupOf>
Result<std::vector<GroupTotals>> SumGroups(size_t groups, GroupOf group_of, const HeapGraph& graph,
                                           const Dominance& dominance, Work& work) {
  work.Begin("summing groups", graph.ObjectCount());
  analysis::Stride stride(work);
  std::vector<GroupTotals> totals(groups);
  const bool finished = graph.ForEachSize([&](ObjectIndex object, uint64_t bytes) {
    GroupTotals& group = totals[group_of(object)];
    (dominance.tree.IsReachable(object) ? group.reachable : group.unreachable) += {1, bytes};
    return stride.Step();
  });
  if (!finished) return analysis::WasCancelled();
  const auto retained = RetainedUnions(dominance.tree, dominance.sizes, groups, group_of);
  for (size_t i = 0; i < groups; ++i) totals[i].retained = retained[i];
  return totals;
}

Result<std::vector<GroupRow>> FillGroups(Groups groups, const HeapGraph& graph, const Dominance& dominance,
                                         Work& work) {
  const auto totals = SumGroups(groups.rows.size(), groups.of, graph, dominance, work);
  if (!totals) return tl::make_unexpected(totals.error());
  for (size_t i = 0; i < totals->size(); ++i) {
    groups.rows[i].reachable = (*totals)[i].reachable;
    groups.rows[i].unreachable = (*totals)[i].unreachable;
    groups.rows[i].retained = (*totals)[i].retained;
  }
  std::erase_if(groups.rows, [](const GroupRow& row) { return row.reachable.objects + row.unreachable.objects == 0; });
  return std::move(groups.rows);
}

// By group the one type of which all its objects are; nothing where a group has several.
std::optional<std::vector<TypeIndex>> OneTypeEach(const std::vector<uint32_t>& group_of_type, uint32_t groups) {
  std::vector<TypeIndex> types(groups);
  for (uint32_t type = 0; type < group_of_type.size(); ++type) {
    if (group_of_type[type] >= groups) continue;
    if (types[group_of_type[type]].Valid()) return std::nullopt;
    types[group_of_type[type]] = TypeIndex(type);
  }
  return types;
}

// One group more, for what counts nowhere, is summed and dropped.
Result<std::vector<GroupTotals>> WithoutLast(Result<std::vector<GroupTotals>> totals) {
  if (totals) totals->pop_back();
  return totals;
}

}  // namespace

Result<ObjectTotals> SnapshotSession::Reachable(Work& work) {
  return Reached(work).map([](const auto* reached) { return reached->Total(); });
}

Result<ObjectTotals> SnapshotSession::Reachable(TypeIndex type, Work& work) {
  return Reached(work).map([&](const auto* reached) { return reached->ByType().at(type.value); });
}

Result<std::vector<ObjectTotals>> SnapshotSession::ReachableOfTypes(Work& work) {
  return Reached(work).map([](const auto* reached) { return reached->ByType(); });
}

Result<uint64_t> SnapshotSession::Retained(ObjectIndex object, Work& work) {
  return Object(object, work).map([](const ObjectInfo& info) { return info.retained; });
}

Result<std::vector<uint64_t>> SnapshotSession::RetainedOfTypes(Work& work) {
  return OfTypes(work).map([](const TypeTotals* totals) {
    std::vector<uint64_t> retained;
    for (const GroupTotals& type : totals->of_type) retained.push_back(type.retained);
    return retained;
  });
}

Result<std::vector<GroupTotals>> SnapshotSession::SumTypes(Work& work) {
  const auto graph = Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto type_of = [&](ObjectIndex object) { return (*graph)->TypeOf(object).value; };
  return Dominators(work).and_then([&](const Dominance* dominance) {
    return SumGroups(GetSummary().types.size(), type_of, **graph, *dominance, work);
  });
}

Result<std::vector<GroupRow>> SnapshotSession::Groups(Grouping grouping, Work& work) {
  const auto graph = Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  return Dominators(work).and_then(
      [&](const Dominance* dominance) { return FillGroups(GroupBy(grouping, **graph), **graph, *dominance, work); });
}

Result<std::vector<GroupTotals>> SnapshotSession::Totals(const std::vector<uint32_t>& group_of_type, uint32_t groups,
                                                         Work& work) {
  if (const auto types = OneTypeEach(group_of_type, groups))
    return OfTypes(work).map([&](const TypeTotals* totals) {
      std::vector<GroupTotals> sums(groups);
      for (uint32_t i = 0; i < groups; ++i)
        if ((*types)[i].Valid()) sums[i] = totals->of_type[(*types)[i].value];
      return sums;
    });
  const auto graph = Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto group_of = [&](ObjectIndex object) {
    return std::min(group_of_type[(*graph)->TypeOf(object).value], groups);
  };
  return Dominators(work).and_then([&](const Dominance* dominance) {
    return WithoutLast(SumGroups(size_t{groups} + 1, group_of, **graph, *dominance, work));
  });
}

Result<std::vector<GroupTotals>> SnapshotSession::TotalsByGeneration(const std::vector<bool>& types, Work& work) {
  const auto graph = Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto generations = GroupByGeneration(**graph);
  const auto group_of = [&](ObjectIndex object) {
    const bool counts = types.empty() || types[(*graph)->TypeOf(object).value];
    return counts ? generations.of(object) : size_t{snapshot::kGenerationCount};
  };
  return Dominators(work).and_then([&](const Dominance* dominance) {
    return WithoutLast(SumGroups(snapshot::kGenerationCount + 1, group_of, **graph, *dominance, work));
  });
}

}  // namespace cairn::session
