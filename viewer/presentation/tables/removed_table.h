#pragma once
// Files that were removed.

#include <string>
#include <vector>

#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

class RemovedTable : public Table {
 public:
  explicit RemovedTable(std::vector<std::string> paths) : paths_(std::move(paths)) {}

  std::vector<Column> Columns() const override { return {{"removed", "Removed"}}; }
  uint64_t RowCount() const override { return paths_.size(); }
  std::vector<Cell> Row(uint64_t row) const override { return {paths_.at(row)}; }

 private:
  std::vector<std::string> paths_;
};

}  // namespace cairn::presentation
