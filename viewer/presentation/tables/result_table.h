#pragma once
// The rows of a query, held so that they can be looked at, sorted and exported; up to some number of them.
// Thread rule: filled by one thread, then immutable.

#include <cstdint>
#include <string>
#include <vector>

#include "snapshot-format/sql/read_only_query.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

class ResultTable : public Table, public sql::ResultSink {
 public:
  explicit ResultTable(uint64_t most_rows) : most_rows_(most_rows) {}

  // ---- while the query runs ----
  void Columns(const std::vector<std::string>& names) override;
  bool Row(std::span<const sql::Value> cells) override;

  // ---- afterwards ----
  std::vector<Column> Columns() const override { return columns_; }
  uint64_t RowCount() const override { return rows_; }
  std::vector<Cell> Row(uint64_t row) const override;
  Cell At(uint64_t row, size_t column) const override;
  // The query had more.
  bool IsCut() const { return is_cut_; }

 private:
  const uint64_t most_rows_;
  std::vector<Column> columns_;
  std::vector<Cell> cells_;
  uint64_t rows_ = 0;
  bool is_cut_ = false;
};

}  // namespace cairn::presentation
