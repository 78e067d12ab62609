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

std::map<TypeKey, DiffRow> Joined(std::span<const snapshot::Summary* const> snapshots) {
  std::map<TypeKey, DiffRow> joined;
  for (size_t s = 0; s < snapshots.size(); ++s)
    for (const snapshot::Type& type : snapshots[s]->types) {
      if (type.objects == 0) continue;
      const TypeKey key(TypeName(type), ModuleName(*snapshots[s], type));
      DiffRow& row = joined[key];
      row.type = key.first;
      row.module = key.second;
      row.objects.resize(snapshots.size());
      row.bytes.resize(snapshots.size());
      row.objects[s] += type.objects;
      row.bytes[s] += type.bytes;
    }
  return joined;
}

bool GrewMore(const DiffRow& a, const DiffRow& b) {
  if (a.ByteGrowth() != b.ByteGrowth()) return a.ByteGrowth() > b.ByteGrowth();
  if (a.ObjectGrowth() != b.ObjectGrowth()) return a.ObjectGrowth() > b.ObjectGrowth();
  return std::tie(a.type, a.module) < std::tie(b.type, b.module);
}

bool AllEqual(const std::vector<uint64_t>& values) {
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

bool DiffRow::Changed() const { return !AllEqual(objects) || !AllEqual(bytes); }

DiffTable::DiffTable(std::span<const snapshot::Summary* const> snapshots, bool all) : snapshots_(snapshots.size()) {
  assert(snapshots.size() >= 2);
  for (auto& [key, row] : Joined(snapshots))
    if (all || row.Changed()) rows_.push_back(std::move(row));
  std::sort(rows_.begin(), rows_.end(), GrewMore);
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
    if (column.key != "type" && column.key != "module" && column.key != "objects" && column.key != "bytes")
      column.hide_if_empty = true;
  columns.push_back(TextDifference("Bytes grown"));
  columns.push_back(TextDifference("Objects grown"));
  return columns;
}

std::vector<Cell> DiffTable::Row(uint64_t index) const {
  const DiffRow& row = rows_.at(index);
  std::vector<Cell> cells = {row.type, CellOf(row.module)};
  for (const uint64_t objects : row.objects) cells.emplace_back(objects);
  for (const uint64_t bytes : row.bytes) cells.emplace_back(bytes);
  cells.resize(cells.size() + snapshots_ + 3);  // retained per snapshot, new, survived, dead: not computed
  cells.emplace_back(row.ByteGrowth());
  cells.emplace_back(row.ObjectGrowth());
  return cells;
}

}  // namespace cairn::presentation
