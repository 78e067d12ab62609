#include "viewer/presentation/tables/waste_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

using analysis::dotnet::CollectionWaste;
using analysis::dotnet::Duplicate;

// In text; data keeps the whole of it.
constexpr size_t kTextWidth = 50;

std::string TypeOf(const snapshot::Summary& summary, analysis::TypeIndex type) {
  return TypeName(summary.types.at(type.value));
}

Cell TextCell(const Duplicate& duplicate) { return duplicate.has_text ? Cell(duplicate.text) : Cell(); }

Cell ShortText(const Duplicate& duplicate) {
  if (!duplicate.has_text) return {};
  return "\"" + Shortened(VisibleText(duplicate.text), kTextWidth) + "\"" + (duplicate.text_cut ? "…" : "");
}

Column DataOnly(Column column) {
  column.shown = Shown::kDataOnly;
  return column;
}

}  // namespace

std::vector<std::string> DuplicatesTable::HoldersOf(uint64_t row) const {
  return row < answer_.holders.size() ? answer_.holders[row] : std::vector<std::string>();
}

std::vector<Column> DuplicatesTable::Columns() const {
  Column text{"", "Text", Format::kText, Shown::kTextOnly};
  text.hide_if_empty = true;
  Column type{"type", "Type"}, holders{"holders", "Held by"};
  holders.hide_if_empty = true;
  type.place = text.place = holders.place = 2;
  return {DataOnly({"kind", "Kind"}),
          {"wasted", "Wasted", Format::kBytes},
          {"example", "First copy", Format::kObject, Shown::kEverywhere, false, {}, 1},
          {"copies", "Copies", Format::kCount},
          {"bytes_each", "Bytes each", Format::kBytes},
          type,
          DataOnly({"text", "Text"}),
          text,
          holders};
}

std::vector<Cell> DuplicatesTable::Row(uint64_t row) const {
  const Duplicate& duplicate = answer_.waste.duplicates.at(row);
  const auto holders = HoldersOf(row);
  return {std::string(duplicate.is_string ? "string" : "array"),
          duplicate.Wasted(),
          uint64_t{duplicate.examples.at(0).value},
          duplicate.copies,
          duplicate.bytes_each,
          TypeOf(summary_, duplicate.type),
          TextCell(duplicate),
          ShortText(duplicate),
          holders.empty() ? Cell() : Cell(fmt::format("{}", fmt::join(holders, "; ")))};
}

Json DuplicatesTable::Fields(uint64_t row) const {
  const Duplicate& duplicate = answer_.waste.duplicates.at(row);
  return {{"kind", duplicate.is_string ? "string" : "array"},
          {"type", TypeOf(summary_, duplicate.type)},
          {"copies", duplicate.copies},
          {"bytes_each", duplicate.bytes_each},
          {"wasted", duplicate.Wasted()},
          {"example", duplicate.examples.at(0).value},
          {"text", duplicate.has_text ? Json(duplicate.text) : Json(nullptr)},
          {"holders", HoldersOf(row)}};
}

std::vector<Column> CollectionsTable::Columns() const {
  return {{"type", "Type", Format::kText, Shown::kEverywhere, false, {}, 1},
          {"kind", "Kind"},
          {"objects", "Objects", Format::kCount},
          {"empty", "Empty", Format::kCount},
          {"capacity", "Room for", Format::kCount},
          {"used", "Used", Format::kCount},
          {"wasted", "Wasted", Format::kBytes}};
}

std::vector<Cell> CollectionsTable::Row(uint64_t row) const {
  const CollectionWaste& waste = answer_.waste.collections.at(row);
  return {TypeOf(summary_, waste.type),
          std::string(waste.is_sparse_array ? "sparse array" : "collection"),
          waste.objects,
          waste.empty,
          waste.capacity,
          waste.used,
          waste.wasted};
}

std::vector<Column> TypeTotalsTable::Columns() const {
  return {{"type", "Type", Format::kText, Shown::kEverywhere, false, {}, 1},
          {"objects", "Objects", Format::kCount},
          {"bytes", "Bytes", Format::kBytes}};
}

std::vector<Cell> TypeTotalsTable::Row(uint64_t row) const {
  const auto& [type, totals] = rows_.at(row);
  return {TypeOf(summary_, type), totals.objects, totals.bytes};
}

}  // namespace cairn::presentation
