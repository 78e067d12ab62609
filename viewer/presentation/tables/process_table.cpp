#include "viewer/presentation/tables/process_table.h"

#include <algorithm>
#include <utility>

namespace cairn::presentation {

ProcessTable::ProcessTable(std::vector<ProcessRow> rows) : rows_(std::move(rows)) {
  std::sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) { return a.pid < b.pid; });
}

std::vector<Column> ProcessTable::Columns() const {
  Column reason{"reason", "Remark"};
  reason.hide_if_empty = true;
  return {{"pid", "Pid", Format::kNumber},
          {"name", "Name"},
          {"user", "User"},
          {"runtime", "Runtime"},
          {"rss_bytes", "RSS bytes", Format::kBytes},
          {"attachable", "Attachable", Format::kFlag},
          reason};
}

std::vector<Cell> ProcessTable::Row(uint64_t index) const {
  const ProcessRow& row = rows_.at(index);
  return {row.pid, row.name, row.user, row.runtime, row.rss_bytes, row.attachable, CellOf(row.reason)};
}

}  // namespace cairn::presentation
