#pragma once
// Totals per generation, as the heap ranges give them.

#include <string>
#include <vector>

#include "snapshot-format/file/model.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

class GenerationTable : public Table {
 public:
  // Every generation, also those without a range.
  explicit GenerationTable(const std::vector<snapshot::Range>& ranges) : rows_(snapshot::TotalsByGeneration(ranges)) {}

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  std::vector<snapshot::GenerationTotals> rows_;
};

}  // namespace cairn::presentation
