#include "viewer/presentation/tables/diff_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>
#include <utility>

#include "viewer/presentation/heap_source.h"

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

using Growth = std::tuple<int64_t, int64_t, int64_t>;

Growth GrowthOf(const DiffRow& row, DiffOrder order) {
  const int64_t retained = row.RetainedGrowth().value_or(0);
  switch (order) {
    case DiffOrder::kRetained:
      return {retained, row.ByteGrowth(), row.ObjectGrowth()};
    case DiffOrder::kObjects:
      return {row.ObjectGrowth(), row.ByteGrowth(), retained};
    case DiffOrder::kBytes:
      break;
  }
  return {row.ByteGrowth(), row.ObjectGrowth(), retained};
}

bool GrewMore(const DiffRow& a, const DiffRow& b, DiffOrder order) {
  if (GrowthOf(a, order) != GrowthOf(b, order)) return GrowthOf(a, order) > GrowthOf(b, order);
  return std::tie(a.type, a.module) < std::tie(b.type, b.module);
}

template <class T>
bool AllEqual(const std::vector<T>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

// "Objects before", "Objects after" for two; "Objects 1", "Objects 2" … for more.
std::string SeriesTitle(const char* what, size_t number, size_t count) {
  if (count == 2) return fmt::format("{} {}", what, number == 0 ? "before" : "after");
  return fmt::format("{} {}", what, number + 1);
}

void AddSeries(std::vector<Column>& columns, const char* key, const char* title, Format format, size_t count) {
  for (size_t s = 0; s < count; ++s) {
    Column column{key, SeriesTitle(title, s, count), format};
    column.series = s;
    column.place = 1;
    columns.push_back(std::move(column));
  }
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

bool DiffRow::Changed() const { return !AllEqual(objects) || !AllEqual(bytes) || !AllEqual(retained); }

DiffTable::DiffTable(std::span<const std::vector<TypeRow>> snapshots, bool all, DiffOrder order)
    : snapshots_(snapshots.size()) {
  assert(snapshots.size() >= 2);
  std::vector<bool> has_retained;
  for (const auto& rows : snapshots) has_retained.push_back(HasRetained(rows));
  for (auto& [key, row] : Joined(snapshots)) {
    FillAbsent(row, has_retained);
    if (all || row.Changed()) rows_.push_back(std::move(row));
  }
  std::sort(rows_.begin(), rows_.end(), [order](const auto& a, const auto& b) { return GrewMore(a, b, order); });
}

std::vector<Column> DiffTable::Columns() const {
  Column type{"type", "Type"}, module{"module", "Module"};
  type.place = 3;
  module.place = 2;
  std::vector<Column> columns = {type, module};
  AddSeries(columns, "objects", "Objects", Format::kCount, snapshots_);
  AddSeries(columns, "bytes", "Bytes", Format::kBytes, snapshots_);
  AddSeries(columns, "retained", "Retained", Format::kBytes, snapshots_);
  for (const char* key : {"new", "survived", "dead"}) columns.push_back({key, key, Format::kCount});
  for (Column& column : columns)
    if (column.key == "new" || column.key == "survived" || column.key == "dead") column.hide_if_empty = true;
  for (Column& column : columns)
    if (column.key == "retained") column.shown = Shown::kDataOnly;
  for (const char* title : {"Bytes grown", "Objects grown", "Retained grown"}) columns.push_back(TextDifference(title));
  columns.back().hide_if_empty = true;
  return columns;
}

std::vector<Cell> DiffTable::Row(uint64_t index) const {
  const DiffRow& row = rows_.at(index);
  std::vector<Cell> cells = {row.type, CellOf(row.module)};
  for (const uint64_t objects : row.objects) cells.emplace_back(objects);
  for (const uint64_t bytes : row.bytes) cells.emplace_back(bytes);
  for (size_t s = 0; s < snapshots_; ++s) cells.push_back(row.retained.empty() ? Cell() : CellOf(row.retained[s]));
  cells.resize(cells.size() + 3);  // new, survived, dead: identity is not tracked
  cells.emplace_back(row.ByteGrowth());
  cells.emplace_back(row.ObjectGrowth());
  cells.push_back(CellOf(row.RetainedGrowth()));
  return cells;
}

}  // namespace cairn::presentation
