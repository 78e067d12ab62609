#include "viewer/presentation/tables/type_rows.h"

#include <map>
#include <utility>

namespace cairn::presentation {
namespace {

using session::GroupTotals;
using session::kNoGroup;

using GroupKey = std::pair<std::string, std::optional<std::string>>;

GroupKey KeyOf(const snapshot::Summary& summary, const snapshot::Type& type, GroupBy group) {
  const auto module = ModuleName(summary, type);
  if (group == GroupBy::kType) return {TypeName(type), module};
  if (group == GroupBy::kModule) return {module.value_or("(no module)"), module};
  const std::string space = NamespaceOf(type.name);
  return {space.empty() ? "(no namespace)" : space, std::nullopt};
}

// Rows without counts, and which row each type belongs to.
struct TypeGrouping {
  std::vector<TypeRow> rows;
  std::vector<uint32_t> of_type;
};

TypeGrouping GroupTypes(const snapshot::Summary& summary, GroupBy group, const std::vector<bool>& selected) {
  TypeGrouping grouping;
  grouping.of_type.assign(summary.types.size(), kNoGroup);
  std::map<GroupKey, uint32_t> known;
  for (size_t i = 0; i < summary.types.size(); ++i) {
    if (summary.types[i].objects == 0 || (!selected.empty() && !selected[i])) continue;
    GroupKey key = KeyOf(summary, summary.types[i], group);
    const auto [at, added] = known.try_emplace(std::move(key), static_cast<uint32_t>(grouping.rows.size()));
    if (added) {
      TypeRow& row = grouping.rows.emplace_back();
      row.name = at->first.first;
      row.module = at->first.second;
    }
    grouping.of_type[i] = at->second;
  }
  return grouping;
}

std::vector<TypeRow> SummaryRowsOf(const snapshot::Summary& summary, GroupBy group, const std::vector<bool>& selected) {
  TypeGrouping grouping = GroupTypes(summary, group, selected);
  for (size_t i = 0; i < summary.types.size(); ++i) {
    if (grouping.of_type[i] == kNoGroup) continue;
    grouping.rows[grouping.of_type[i]].objects += summary.types[i].objects;
    grouping.rows[grouping.of_type[i]].bytes += summary.types[i].bytes;
  }
  return std::move(grouping.rows);
}

struct Sum {
  uint64_t objects = 0, bytes = 0;
};

std::vector<TypeRow> GenerationRows(const std::vector<Sum>& sums) {
  std::vector<TypeRow> rows;
  for (size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].objects == 0) continue;
    TypeRow& row = rows.emplace_back();
    row.name = snapshot::GenerationName(static_cast<snapshot::Generation>(i));
    row.objects = sums[i].objects;
    row.bytes = sums[i].bytes;
  }
  return rows;
}

std::vector<TypeRow> GenerationsOfRanges(const snapshot::Summary& summary) {
  std::vector<Sum> sums;
  for (const auto& total : snapshot::TotalsByGeneration(summary.ranges)) sums.push_back({total.objects, total.bytes});
  return GenerationRows(sums);
}

Result<std::vector<TypeRow>> GenerationsOfObjects(HeapSource& source, std::vector<bool> selected) {
  std::vector<Sum> sums(snapshot::kGenerationCount);
  CAIRN_TRY(source.VisitObjects({std::move(selected), {}}, [&](const HeapObject& object) {
    Sum& sum = sums.at(static_cast<size_t>(object.generation));
    ++sum.objects;
    sum.bytes += object.bytes;
    return true;
  }));
  return GenerationRows(sums);
}

void Fill(TypeRow& row, const GroupTotals& totals) {
  row.objects = totals.reachable.objects;
  row.bytes = totals.reachable.bytes;
  row.retained = totals.retained;
  row.unreachable_objects = totals.unreachable.objects;
  row.unreachable_bytes = totals.unreachable.bytes;
}

Result<std::vector<TypeRow>> SessionGenerations(session::SnapshotSession& session, const std::vector<bool>& selected,
                                                analysis::Work& work) {
  const auto totals = session.TotalsByGeneration(selected, work);
  if (!totals) return tl::make_unexpected(totals.error());
  std::vector<TypeRow> rows;
  for (size_t i = 0; i < totals->size(); ++i) {
    if ((*totals)[i].reachable.objects + (*totals)[i].unreachable.objects == 0) continue;
    TypeRow& row = rows.emplace_back();
    row.name = snapshot::GenerationName(static_cast<snapshot::Generation>(i));
    Fill(row, (*totals)[i]);
  }
  return rows;
}

std::vector<bool> Selected(const snapshot::Summary& summary, const std::optional<TypePattern>& pattern) {
  return pattern ? pattern->Select(TypeNames(summary)) : std::vector<bool>();
}

}  // namespace

std::vector<TypeRow> SummaryTypeRows(const snapshot::Summary& summary) {
  return SummaryRowsOf(summary, GroupBy::kType, {});
}

std::vector<TypeRow> SummaryGroups(const snapshot::Summary& summary, GroupBy group) {
  return SummaryRowsOf(summary, group, {});
}

Result<std::vector<TypeRow>> SummaryRows(HeapSource& source, GroupBy group, const std::optional<TypePattern>& pattern) {
  const snapshot::Summary& summary = source.Summary();
  std::vector<bool> selected = Selected(summary, pattern);
  if (group != GroupBy::kGeneration) return SummaryRowsOf(summary, group, selected);
  if (!pattern) return GenerationsOfRanges(summary);
  // No types at all: an empty selection would mean all of them.
  if (selected.empty()) return std::vector<TypeRow>();
  return GenerationsOfObjects(source, std::move(selected));
}

Result<std::vector<TypeRow>> SessionRows(session::SnapshotSession& session, GroupBy group,
                                         const std::optional<TypePattern>& pattern, analysis::Work& work) {
  const snapshot::Summary& summary = session.GetSummary();
  const std::vector<bool> selected = Selected(summary, pattern);
  if (summary.types.empty()) return std::vector<TypeRow>();
  if (group == GroupBy::kGeneration) return SessionGenerations(session, selected, work);
  TypeGrouping grouping = GroupTypes(summary, group, selected);
  const auto totals = session.Totals(grouping.of_type, static_cast<uint32_t>(grouping.rows.size()), work);
  if (!totals) return tl::make_unexpected(totals.error());
  for (size_t i = 0; i < totals->size(); ++i) Fill(grouping.rows[i], (*totals)[i]);
  return std::move(grouping.rows);
}

}  // namespace cairn::presentation
