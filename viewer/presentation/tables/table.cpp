#include "viewer/presentation/tables/table.h"

#include <algorithm>

namespace cairn::presentation {

void Emit(const Table& table, std::optional<uint64_t> top, RowSink& sink) {
  const std::vector<Column> columns = table.Columns();
  const uint64_t all = table.RowCount(), shown = std::min(all, top.value_or(all));
  sink.Begin(columns);
  for (uint64_t row = 0; row < shown; ++row)
    if (!sink.Row(table.Row(row))) break;
  sink.End(all - shown);
}

}  // namespace cairn::presentation
