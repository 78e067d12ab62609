#pragma once
// Objects and bytes per type, namespace, module or generation.

#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/tables/table.h"
#include "viewer/presentation/type_pattern.h"

namespace cairn::presentation {

enum class GroupBy { kType, kNamespace, kModule, kGeneration };
enum class TypeOrder { kBytes, kObjects };

struct TypeRow {
  std::string name;                   // of the type or group
  std::optional<std::string> module;  // null for groups over modules
  uint64_t objects = 0, bytes = 0;
  // Null while reachability is not computed; then objects and bytes mean all.
  std::optional<uint64_t> retained, unreachable_objects, unreachable_bytes;

  bool operator==(const TypeRow&) const = default;
};

class TypesTable : public Table {
 public:
  TypesTable(std::vector<TypeRow> rows, GroupBy group, TypeOrder order);

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

  const std::vector<TypeRow>& Rows() const { return rows_; }
  uint64_t Objects() const;
  uint64_t Bytes() const;

 private:
  std::vector<TypeRow> rows_;
  GroupBy group_;
};

// From the summary alone, but for generations of a pattern, which visit the objects.
// Types of one name and module are one row.
Result<TypesTable> MakeTypesTable(HeapSource& source, GroupBy group, TypeOrder order,
                                  const std::optional<TypePattern>& pattern);

}  // namespace cairn::presentation
