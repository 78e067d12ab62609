#pragma once
// What memory is wasted on: equal contents, collections with more room than elements, boxed values, disposed objects.

#include <string>
#include <vector>

#include "viewer/presentation/render/json_document.h"
#include "viewer/presentation/tables/table.h"
#include "viewer/session/waste_answer.h"

namespace cairn::presentation {

class DuplicatesTable : public Table {
 public:
  // Both outlive the table.
  DuplicatesTable(const snapshot::Summary& summary, const session::WasteAnswer& answer)
      : summary_(summary), answer_(answer) {}

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return answer_.waste.duplicates.size(); }
  std::vector<Cell> Row(uint64_t row) const override;
  Json Fields(uint64_t row) const;

 private:
  std::vector<std::string> HoldersOf(uint64_t row) const;

  const snapshot::Summary& summary_;
  const session::WasteAnswer& answer_;
};

class CollectionsTable : public Table {
 public:
  CollectionsTable(const snapshot::Summary& summary, const session::WasteAnswer& answer)
      : summary_(summary), answer_(answer) {}

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return answer_.waste.collections.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  const snapshot::Summary& summary_;
  const session::WasteAnswer& answer_;
};

// Of boxed values, of disposed objects.
class TypeTotalsTable : public Table {
 public:
  // Both outlive the table.
  TypeTotalsTable(const snapshot::Summary& summary, const std::vector<analysis::dotnet::TypeTotals>& rows)
      : summary_(summary), rows_(rows) {}

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  const snapshot::Summary& summary_;
  const std::vector<analysis::dotnet::TypeTotals>& rows_;
};

}  // namespace cairn::presentation
