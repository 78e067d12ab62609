#pragma once
// Some rows of another table, in another order: what filter and sort of a place make of it.
// Thread rule: immutable after Arrange. Ownership: shares the table.

#include <memory>
#include <string>
#include <vector>

#include "snapshot-format/file/result.h"
#include "viewer/analysis/work.h"
#include "viewer/presentation/place.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

// What a column is called in a place: its key, of a series with its number ("bytes_2"), else its title in small
// letters.
std::string ColumnId(const Column& column);

// The columns that people read, in their order: not those for data, nor those that may be left out while every cell of
// the first rows is null or zero.
std::vector<size_t> ShownColumns(const Table& table);

class ArrangedTable : public Table {
 public:
  // Rows of which some text holds `filter` (upper and lower case alike; empty: all), in the order of `sort` (empty: as
  // they are; columns that are not there do not count). Equal rows stay as they are. Complexity: a filter reads
  // every row, each sort column its cells; a radix sort; 4 bytes per row are kept, 16 more while it sorts. Errors:
  // cancelled; table.too_long past 2^32 rows.
  static Result<std::shared_ptr<const ArrangedTable>> Arrange(std::shared_ptr<const Table> table,
                                                              const std::string& filter,
                                                              const std::vector<SortKey>& sort, analysis::Work& work);

  std::vector<Column> Columns() const override { return table_->Columns(); }
  uint64_t RowCount() const override { return is_whole_ ? table_->RowCount() : rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override { return table_->Row(SourceRow(row)); }
  Cell At(uint64_t row, size_t column) const override { return table_->At(SourceRow(row), column); }

  // The row of the other table that stands here.
  uint64_t SourceRow(uint64_t row) const { return is_whole_ ? row : rows_.at(row); }

 private:
  explicit ArrangedTable(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

  std::shared_ptr<const Table> table_;
  bool is_whole_ = true;  // all rows as they are
  std::vector<uint32_t> rows_;
};

}  // namespace cairn::presentation
