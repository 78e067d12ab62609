#include "viewer/presentation/tables/diff_table.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>
#include <utility>

#include "viewer/analysis/growth.h"
#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/sparkline.h"
#include "viewer/presentation/tables/series.h"

namespace cairn::presentation {
namespace {

using TypeKey = std::pair<std::string, std::optional<std::string>>;

// A type that a snapshot does not have counts as nothing there, where others were computed.
std::map<TypeKey, DiffRow> Joined(std::span<const std::vector<TypeRow>> snapshots) {
  std::map<TypeKey, DiffRow> joined;
  for (size_t s = 0; s < snapshots.size(); ++s)
    for (const TypeRow& type : snapshots[s]) {
      DiffRow& row = joined[TypeKey(type.name, type.module)];
      row.type = type.name;
      row.module = type.module;
      row.objects.resize(snapshots.size());
      row.bytes.resize(snapshots.size());
      row.retained.resize(snapshots.size());
      row.objects[s] = type.objects;
      row.bytes[s] = type.bytes;
      row.retained[s] = type.retained;
    }
  return joined;
}

bool HasRetained(const std::vector<TypeRow>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const TypeRow& row) { return row.retained.has_value(); });
}

void FillAbsent(DiffRow& row, const std::vector<bool>& has_retained) {
  for (size_t s = 0; s < has_retained.size(); ++s)
    if (has_retained[s] && !row.retained[s]) row.retained[s] = 0;
}

session::IdentityCounts CountsOf(const session::IdentityByType& identity, const TypeKey& key) {
  const auto at = identity.find(key);
  return at == identity.end() ? session::IdentityCounts() : at->second;
}

// The figures that a table is ordered by.
std::vector<uint64_t> SeriesOf(const DiffRow& row, DiffOrder order) {
  if (order == DiffOrder::kRetained) return row.KnownRetained();
  return order == DiffOrder::kObjects ? row.objects : row.bytes;
}

// The typical growth first; what it leaves equal by the growth from the first to the last.
using Growth = std::tuple<double, int64_t, int64_t, int64_t>;

Growth GrowthOf(const DiffRow& row, DiffOrder order) {
  const double typical = analysis::TypicalGrowth(SeriesOf(row, order));
  const int64_t retained = row.RetainedGrowth().value_or(0);
  switch (order) {
    case DiffOrder::kRetained:
      return {typical, retained, row.ByteGrowth(), row.ObjectGrowth()};
    case DiffOrder::kObjects:
      return {typical, row.ObjectGrowth(), row.ByteGrowth(), retained};
    case DiffOrder::kBytes:
      break;
  }
  return {typical, row.ByteGrowth(), row.ObjectGrowth(), retained};
}

template <class T>
bool AllEqual(const std::vector<T>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

// new, survived, dead, uncertain
void AddIdentity(const DiffRow& row, std::vector<Cell>& cells) {
  if (!row.identity) return cells.resize(cells.size() + 4);
  const uint64_t there = row.identity->survived + row.identity->uncertain;
  cells.emplace_back(row.objects.back() - there);
  cells.emplace_back(row.identity->survived);
  cells.emplace_back(row.objects.front() - there);
  cells.emplace_back(row.identity->uncertain);
}

Column TextDifference(const char* title) {
  Column column{"", title, Format::kDifference, Shown::kTextOnly};
  column.place = 0;
  return column;
}

}  // namespace

std::optional<int64_t> DiffRow::RetainedGrowth() const {
  if (retained.empty() || !retained.front() || !retained.back()) return std::nullopt;
  return static_cast<int64_t>(*retained.back() - *retained.front());
}

std::vector<uint64_t> DiffRow::KnownRetained() const {
  std::vector<uint64_t> known;
  for (const auto& value : retained) known.push_back(value.value_or(0));
  return known;
}

bool DiffRow::Changed() const { return !AllEqual(objects) || !AllEqual(bytes) || !AllEqual(retained); }

bool DiffRow::Exchanged() const { return identity && identity->survived < std::max(objects.front(), objects.back()); }

DiffTable::DiffTable(std::span<const std::vector<TypeRow>> snapshots, bool all, DiffOrder order, std::string title,
                     const session::IdentityByType* identity)
    : snapshots_(snapshots.size()), order_(order), title_(std::move(title)) {
  assert(snapshots.size() >= 2);
  std::vector<bool> has_retained;
  for (const auto& rows : snapshots) has_retained.push_back(HasRetained(rows));
  for (auto& [key, row] : Joined(snapshots)) {
    FillAbsent(row, has_retained);
    if (identity != nullptr) row.identity = CountsOf(*identity, key);
    if (all || row.Changed() || row.Exchanged()) rows_.push_back(std::move(row));
  }
  SortByRank(
      rows_, [order](const DiffRow& row) { return GrowthOf(row, order); },
      [](const DiffRow& a, const DiffRow& b) { return std::tie(a.type, a.module) < std::tie(b.type, b.module); });
}

std::vector<Column> DiffTable::Columns() const {
  Column type{"type", title_}, module{"module", "Module"};
  type.place = 3;
  module.place = 2;
  std::vector<Column> columns = {type, module};
  AddSeries(columns, "objects", "Objects", Format::kCount, snapshots_, 1);
  AddSeries(columns, "bytes", "Bytes", Format::kBytes, snapshots_, 1);
  AddSeries(columns, "retained", "Retained", Format::kBytes, snapshots_, 1);
  for (const char* key : {"new", "survived", "dead", "uncertain"}) {
    columns.push_back({key, key, Format::kCount});
    columns.back().hide_if_empty = true;
  }
  for (Column& column : columns)
    if (column.key == "retained") column.shown = Shown::kDataOnly;
  for (const char* title : {"Bytes grown", "Objects grown", "Retained grown"}) columns.push_back(TextDifference(title));
  columns.back().hide_if_empty = true;
  if (snapshots_ > 2) columns.push_back(TrendColumn());
  if (!allocated_.empty()) columns.push_back(AllocatedColumn(4));
  return columns;
}

std::vector<Cell> DiffTable::Row(uint64_t index) const {
  const DiffRow& row = rows_.at(index);
  std::vector<Cell> cells = {row.type, CellOf(row.module)};
  for (const uint64_t objects : row.objects) cells.emplace_back(objects);
  for (const uint64_t bytes : row.bytes) cells.emplace_back(bytes);
  for (size_t s = 0; s < snapshots_; ++s) cells.push_back(row.retained.empty() ? Cell() : CellOf(row.retained[s]));
  AddIdentity(row, cells);
  cells.emplace_back(row.ByteGrowth());
  cells.emplace_back(row.ObjectGrowth());
  cells.push_back(CellOf(row.RetainedGrowth()));
  if (snapshots_ > 2) cells.emplace_back(Sparkline(SeriesOf(row, order_)));
  if (!allocated_.empty()) cells.push_back(AllocatedCell(allocated_, row.type, row.module));
  return cells;
}

}  // namespace cairn::presentation
