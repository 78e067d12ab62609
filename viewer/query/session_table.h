#pragma once
// A table over the snapshots of a query, as SQLite sees it: first all rows of snapshot 1, then those of 2, and so on.
// Thread rule: one thread. Ownership: observes the data of the snapshots.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "snapshot-format/sql/virtual_table.h"
#include "viewer/query/snapshot_rows.h"

namespace cairn::query {

using Snapshots = std::vector<std::unique_ptr<SnapshotData>>;

class SessionTable : public sql::VirtualTable {
 public:
  SessionTable(TableShape shape, const Snapshots& snapshots);

  std::string Name() const override { return shape_.name; }
  std::vector<sql::TableColumn> Columns() const override { return shape_.columns; }
  sql::Plan Choose(std::span<const sql::Constraint> constraints, std::span<const sql::Order> order) const override;
  std::unique_ptr<sql::TableCursor> Open() override;

  const TableShape& Shape() const { return shape_; }
  // Rows that cursors stood on, to see that lookups do not look at everything.
  uint64_t Visited() const { return visited_; }

 private:
  friend class SessionCursor;
  bool IsOrdered(std::span<const sql::Order> order, bool one_snapshot) const;

  TableShape shape_;
  const Snapshots& snapshots_;
  double rows_ = 0, rows_per_type_ = 0;
  uint64_t visited_ = 0;
};

}  // namespace cairn::query
