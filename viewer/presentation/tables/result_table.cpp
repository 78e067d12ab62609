#include "viewer/presentation/tables/result_table.h"

#include "viewer/presentation/tables/query_cells.h"

namespace cairn::presentation {

void ResultTable::Columns(const std::vector<std::string>& names) { columns_ = QueryColumns(names); }

bool ResultTable::Row(std::span<const sql::Value> cells) {
  if (rows_ == most_rows_) {
    is_cut_ = true;
    return false;
  }
  if (rows_ == 0) AlignBy(cells, columns_);
  for (const sql::Value& cell : cells) cells_.push_back(CellOf(cell));
  ++rows_;
  return true;
}

std::vector<Cell> ResultTable::Row(uint64_t row) const {
  const auto first = cells_.begin() + static_cast<long>(row * columns_.size());
  return {first, first + static_cast<long>(columns_.size())};
}

Cell ResultTable::At(uint64_t row, size_t column) const { return cells_.at(row * columns_.size() + column); }

}  // namespace cairn::presentation
