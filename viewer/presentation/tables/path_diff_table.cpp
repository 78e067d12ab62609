#include "viewer/presentation/tables/path_diff_table.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>

#include "viewer/analysis/growth.h"
#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/sparkline.h"
#include "viewer/presentation/tables/series.h"

namespace cairn::presentation {
namespace {

bool AllEqual(const std::vector<uint64_t>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

// What only carries a growing thing further down comes behind it.
std::tuple<bool, double, int64_t, int64_t> GrowthOf(const PathDiffRow& row) {
  return {row.ObjectGrowth() > 0, analysis::TypicalGrowth(row.retained), row.RetainedGrowth(), row.ObjectGrowth()};
}

bool ComesBefore(const PathDiffRow& a, const PathDiffRow& b) {
  return std::tie(a.path, a.type, a.fingerprint) < std::tie(b.path, b.type, b.fingerprint);
}

std::map<std::string, PathDiffRow> Joined(std::span<const std::vector<PathRow>> snapshots) {
  std::map<std::string, PathDiffRow> joined;
  for (size_t s = 0; s < snapshots.size(); ++s)
    for (const PathRow& path : snapshots[s]) {
      PathDiffRow& row = joined[path.fingerprint];
      row.fingerprint = path.fingerprint;
      row.path = path.path;
      row.type = path.type;
      row.module = path.module;
      row.objects.resize(snapshots.size());
      row.retained.resize(snapshots.size());
      row.objects[s] = path.objects;
      row.retained[s] = path.retained;
    }
  return joined;
}

}  // namespace

bool PathDiffRow::Changed() const { return !AllEqual(objects) || !AllEqual(retained); }

std::vector<PathRow> PathRows(const snapshot::Summary& summary, const std::vector<session::PathGroup>& groups) {
  std::vector<PathRow> rows;
  for (const session::PathGroup& group : groups) {
    if (group.objects == 0) continue;
    const snapshot::Type& type = summary.types.at(group.type.value);
    rows.push_back(
        {group.fingerprint, group.path, TypeName(type), group.objects, group.retained, ModuleName(summary, type)});
  }
  return rows;
}

PathDiffTable::PathDiffTable(std::span<const std::vector<PathRow>> snapshots, bool all) : snapshots_(snapshots.size()) {
  assert(snapshots.size() >= 2);
  for (auto& [fingerprint, row] : Joined(snapshots))
    if (all || row.Changed()) rows_.push_back(std::move(row));
  SortByRank(rows_, GrowthOf, ComesBefore);
}

std::vector<Column> PathDiffTable::Columns() const {
  Column fingerprint{"fingerprint", "Fingerprint"};
  fingerprint.shown = Shown::kDataOnly;
  Column path{"path", "Path"}, type{"type", "Type"};
  path.place = type.place = 1;
  std::vector<Column> columns = {fingerprint, path, type};
  AddSeries(columns, "objects", "Objects", Format::kCount, snapshots_);
  AddSeries(columns, "retained", "Retained", Format::kBytes, snapshots_);
  for (const char* title : {"Retained grown", "Objects grown"}) {
    Column grown{"", title, Format::kDifference, Shown::kTextOnly};
    grown.place = -1;
    columns.push_back(std::move(grown));
  }
  if (snapshots_ > 2) columns.push_back(TrendColumn(-1));
  if (!allocated_.empty()) columns.push_back(AllocatedColumn(2));
  return columns;
}

std::vector<Cell> PathDiffTable::Row(uint64_t index) const {
  const PathDiffRow& row = rows_.at(index);
  std::vector<Cell> cells = {row.fingerprint, row.path, row.type};
  for (const uint64_t objects : row.objects) cells.emplace_back(objects);
  for (const uint64_t retained : row.retained) cells.emplace_back(retained);
  cells.emplace_back(row.RetainedGrowth());
  cells.emplace_back(row.ObjectGrowth());
  if (snapshots_ > 2) cells.emplace_back(Sparkline(row.retained));
  if (!allocated_.empty()) cells.push_back(AllocatedCell(allocated_, row.type, row.module));
  return cells;
}

}  // namespace cairn::presentation
