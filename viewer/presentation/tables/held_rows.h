#pragma once
// Rows that came through a sink, held as a table.

#include <utility>
#include <vector>

#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

class HeldRows : public Table, public RowSink {
 public:
  // ---- filled once ----
  void Begin(std::span<const Column> columns) override { columns_.assign(columns.begin(), columns.end()); }
  bool Row(std::span<const Cell> cells) override {
    rows_.emplace_back(cells.begin(), cells.end());
    return true;
  }
  void End(uint64_t rows_left_out) override { left_out_ = rows_left_out; }

  std::vector<Column> Columns() const override { return columns_; }
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override { return rows_.at(row); }
  uint64_t LeftOut() const { return left_out_; }

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
  uint64_t left_out_ = 0;
};

}  // namespace cairn::presentation
