#include "viewer/presentation/tables/types_table.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace cairn::presentation {
namespace {

using GroupKey = std::pair<std::string, std::optional<std::string>>;

GroupKey KeyOf(const snapshot::Summary& summary, const snapshot::Type& type, GroupBy group) {
  const auto module = ModuleName(summary, type);
  if (group == GroupBy::kType) return {TypeName(type), module};
  if (group == GroupBy::kModule) return {module.value_or("(no module)"), module};
  const std::string space = NamespaceOf(type.name);
  return {space.empty() ? "(no namespace)" : space, std::nullopt};
}

std::vector<TypeRow> GroupTypes(const snapshot::Summary& summary, GroupBy group, const std::vector<bool>& selected) {
  std::map<GroupKey, TypeRow> groups;
  for (size_t i = 0; i < summary.types.size(); ++i) {
    const snapshot::Type& type = summary.types[i];
    if (type.objects == 0 || (!selected.empty() && !selected[i])) continue;
    const GroupKey key = KeyOf(summary, type, group);
    TypeRow& row = groups[key];
    row.name = key.first;
    row.module = key.second;
    row.objects += type.objects;
    row.bytes += type.bytes;
  }
  std::vector<TypeRow> rows;
  for (auto& [key, row] : groups) rows.push_back(std::move(row));
  return rows;
}

struct Sum {
  uint64_t objects = 0, bytes = 0;
};

std::vector<TypeRow> GenerationRows(const std::vector<Sum>& sums) {
  std::vector<TypeRow> rows;
  for (size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].objects == 0) continue;
    TypeRow row;
    row.name = snapshot::GenerationName(static_cast<snapshot::Generation>(i));
    row.objects = sums[i].objects;
    row.bytes = sums[i].bytes;
    rows.push_back(std::move(row));
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

Result<std::vector<TypeRow>> MakeRows(HeapSource& source, GroupBy group, const std::optional<TypePattern>& pattern) {
  const snapshot::Summary& summary = source.Summary();
  std::vector<bool> selected;
  if (pattern) selected = pattern->Select(TypeNames(summary));
  if (group != GroupBy::kGeneration) return GroupTypes(summary, group, selected);
  if (!pattern) return GenerationsOfRanges(summary);
  // No types at all: an empty selection would mean all of them.
  if (selected.empty()) return std::vector<TypeRow>();
  return GenerationsOfObjects(source, std::move(selected));
}

const char* GroupTitle(GroupBy group) {
  switch (group) {
    case GroupBy::kNamespace:
      return "Namespace";
    case GroupBy::kModule:
      return "Module";
    case GroupBy::kGeneration:
      return "Generation";
    case GroupBy::kType:
      break;
  }
  return "Type";
}

bool Precedes(const TypeRow& a, const TypeRow& b, TypeOrder order) {
  const auto rank = [order](const TypeRow& row) {
    return order == TypeOrder::kObjects ? std::pair(row.objects, row.bytes) : std::pair(row.bytes, row.objects);
  };
  if (rank(a) != rank(b)) return rank(a) > rank(b);
  return std::tie(a.name, a.module) < std::tie(b.name, b.module);
}

}  // namespace

TypesTable::TypesTable(std::vector<TypeRow> rows, GroupBy group, TypeOrder order)
    : rows_(std::move(rows)), group_(group) {
  std::sort(rows_.begin(), rows_.end(), [order](const auto& a, const auto& b) { return Precedes(a, b, order); });
}

std::vector<Column> TypesTable::Columns() const {
  Column name{"type", GroupTitle(group_), Format::kText};
  name.place = 2;
  Column module{"module", "Module", Format::kText};
  module.place = 1;
  if (group_ != GroupBy::kType) module.shown = Shown::kDataOnly;
  Column retained{"retained", "Retained", Format::kBytes};
  Column unreachable_objects{"unreachable_objects", "Unreachable", Format::kCount};
  Column unreachable_bytes{"unreachable_bytes", "Unreachable bytes", Format::kBytes};
  for (Column* column : {&retained, &unreachable_objects, &unreachable_bytes}) column->hide_if_empty = true;
  return {name,
          module,
          {"objects", "Objects", Format::kCount},
          {"bytes", "Bytes", Format::kBytes},
          retained,
          unreachable_objects,
          unreachable_bytes};
}

std::vector<Cell> TypesTable::Row(uint64_t index) const {
  const TypeRow& row = rows_.at(index);
  return {row.name,
          CellOf(row.module),
          row.objects,
          row.bytes,
          CellOf(row.retained),
          CellOf(row.unreachable_objects),
          CellOf(row.unreachable_bytes)};
}

uint64_t TypesTable::Objects() const {
  uint64_t sum = 0;
  for (const TypeRow& row : rows_) sum += row.objects;
  return sum;
}

uint64_t TypesTable::Bytes() const {
  uint64_t sum = 0;
  for (const TypeRow& row : rows_) sum += row.bytes;
  return sum;
}

Result<TypesTable> MakeTypesTable(HeapSource& source, GroupBy group, TypeOrder order,
                                  const std::optional<TypePattern>& pattern) {
  auto rows = MakeRows(source, group, pattern);
  if (!rows) return tl::make_unexpected(std::move(rows).error());
  return TypesTable(std::move(*rows), group, order);
}

}  // namespace cairn::presentation
