#include "viewer/presentation/tables/types_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cairn::presentation {
namespace {

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

using Rank = std::tuple<uint64_t, uint64_t, uint64_t>;

Rank RankOf(const TypeRow& row, TypeOrder order) {
  switch (order) {
    case TypeOrder::kObjects:
      return {row.objects, row.bytes, 0};
    case TypeOrder::kRetained:
      return {row.retained.value_or(0), row.bytes, row.objects};
    case TypeOrder::kBytes:
      break;
  }
  return {row.bytes, row.objects, 0};
}

bool Precedes(const TypeRow& a, const TypeRow& b, TypeOrder order) {
  if (RankOf(a, order) != RankOf(b, order)) return RankOf(a, order) > RankOf(b, order);
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

uint64_t TypesTable::UnreachableObjects() const {
  uint64_t sum = 0;
  for (const TypeRow& row : rows_) sum += row.unreachable_objects.value_or(0);
  return sum;
}

uint64_t TypesTable::UnreachableBytes() const {
  uint64_t sum = 0;
  for (const TypeRow& row : rows_) sum += row.unreachable_bytes.value_or(0);
  return sum;
}

}  // namespace cairn::presentation
