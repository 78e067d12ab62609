#pragma once
// What the doctor found, link by link of the activation chain.

#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

struct ProbeRow {
  std::string name;
  bool ok = false;
  std::string detail;
  std::optional<std::string> remedy;
};

class ProbeTable : public Table {
 public:
  explicit ProbeTable(std::vector<ProbeRow> rows) : rows_(std::move(rows)) {}

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

  const std::vector<ProbeRow>& Rows() const { return rows_; }
  bool AllOk() const;

 private:
  std::vector<ProbeRow> rows_;
};

}  // namespace cairn::presentation
