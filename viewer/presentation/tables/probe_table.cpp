#include "viewer/presentation/tables/probe_table.h"

#include <algorithm>

namespace cairn::presentation {

std::vector<Column> ProbeTable::Columns() const {
  return {{"name", "Probe"}, {"ok", "Ok", Format::kFlag}, {"detail", "Found"}, {"remedy", "Remedy"}};
}

std::vector<Cell> ProbeTable::Row(uint64_t index) const {
  const ProbeRow& row = rows_.at(index);
  return {row.name, row.ok, row.detail, CellOf(row.remedy)};
}

bool ProbeTable::AllOk() const {
  return std::all_of(rows_.begin(), rows_.end(), [](const ProbeRow& row) { return row.ok; });
}

}  // namespace cairn::presentation
