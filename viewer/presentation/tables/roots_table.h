#pragma once
// Roots: by kind with what they refer to, or one by one.

#include <vector>

#include "viewer/presentation/render/json_document.h"
#include "viewer/presentation/tables/table.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::presentation {

class RootKindsTable : public Table {
 public:
  explicit RootKindsTable(std::vector<session::RootKindRow> rows) : rows_(std::move(rows)) {}

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  std::vector<session::RootKindRow> rows_;
};

class RootsTable : public Table {
 public:
  // `session` outlives the table and has its graph.
  RootsTable(const snapshot::Summary& summary, const analysis::HeapGraph& graph, std::vector<session::RootInfo> roots)
      : summary_(summary), graph_(graph), roots_(std::move(roots)) {}

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return roots_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;
  Json Fields(uint64_t row) const;

 private:
  std::string TypeOf(const session::RootInfo& root) const;

  const snapshot::Summary& summary_;
  const analysis::HeapGraph& graph_;
  std::vector<session::RootInfo> roots_;
};

}  // namespace cairn::presentation
