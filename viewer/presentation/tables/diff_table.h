#pragma once
// What changed between snapshots, per type: the largest growth first, from the first to the last.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snapshot-format/file/model.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

struct DiffRow {
  std::string type;
  std::optional<std::string> module;
  std::vector<uint64_t> objects, bytes;  // one per snapshot

  int64_t ObjectGrowth() const { return static_cast<int64_t>(objects.back() - objects.front()); }
  int64_t ByteGrowth() const { return static_cast<int64_t>(bytes.back() - bytes.front()); }
  bool Changed() const;

  bool operator==(const DiffRow&) const = default;
};

class DiffTable : public Table {
 public:
  // At least two snapshots; types are the same where name and module are. Without `all` only changed rows.
  DiffTable(std::span<const snapshot::Summary* const> snapshots, bool all);

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

  const std::vector<DiffRow>& Rows() const { return rows_; }

 private:
  size_t snapshots_;
  std::vector<DiffRow> rows_;
};

}  // namespace cairn::presentation
