#include "viewer/presentation/tables/generation_table.h"

namespace cairn::presentation {

std::vector<Column> GenerationTable::Columns() const {
  return {{"name", "Generation", Format::kText},        {"objects", "Objects", Format::kCount},
          {"bytes", "Bytes", Format::kBytes},           {"free_objects", "Free objects", Format::kCount},
          {"free_bytes", "Free bytes", Format::kBytes}, {"ranges", "Ranges", Format::kCount}};
}

std::vector<Cell> GenerationTable::Row(uint64_t index) const {
  const snapshot::GenerationTotals& row = rows_.at(index);
  return {std::string(snapshot::GenerationName(static_cast<snapshot::Generation>(index))),
          row.objects,
          row.bytes,
          row.free_objects,
          row.free_bytes,
          row.ranges};
}

}  // namespace cairn::presentation
