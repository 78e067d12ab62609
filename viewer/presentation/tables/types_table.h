#pragma once
// Objects and bytes per type, namespace, module or generation, for reading.

#include <optional>
#include <vector>

#include "viewer/presentation/tables/table.h"
#include "viewer/presentation/tables/type_rows.h"

namespace cairn::presentation {

enum class TypeOrder { kRetained, kBytes, kObjects };

class TypesTable : public Table {
 public:
  TypesTable(std::vector<TypeRow> rows, GroupBy group, TypeOrder order);

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

  const std::vector<TypeRow>& Rows() const { return rows_; }
  uint64_t Objects() const;
  uint64_t Bytes() const;
  uint64_t UnreachableObjects() const;
  uint64_t UnreachableBytes() const;

 private:
  std::vector<TypeRow> rows_;
  GroupBy group_;
};

}  // namespace cairn::presentation
