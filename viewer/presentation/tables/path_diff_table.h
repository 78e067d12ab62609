#pragma once
// What changed between snapshots, per shape of path: where objects pile up first.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "viewer/presentation/allocations/allocated_at.h"
#include "viewer/presentation/tables/table.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::presentation {

struct PathDiffRow {
  std::string fingerprint, path, type;
  std::vector<uint64_t> objects, retained;  // one per snapshot
  std::optional<std::string> module{};      // of the type

  int64_t ObjectGrowth() const { return static_cast<int64_t>(objects.back() - objects.front()); }
  int64_t RetainedGrowth() const { return static_cast<int64_t>(retained.back() - retained.front()); }
  bool Changed() const;

  bool operator==(const PathDiffRow&) const = default;
};

// What a snapshot gives to it; types by name, since numbers differ between files.
struct PathRow {
  std::string fingerprint, path, type;
  uint64_t objects = 0, retained = 0;
  std::optional<std::string> module{};
};
std::vector<PathRow> PathRows(const snapshot::Summary& summary, const std::vector<session::PathGroup>& groups);

class PathDiffTable : public Table {
 public:
  // At least two snapshots. Without `all` only changed rows. First where objects were added, by what these retain.
  PathDiffTable(std::span<const std::vector<PathRow>> snapshots, bool all);

  // Where the objects of the last one were allocated, by their types.
  void SayAllocated(AllocatedByType allocated) { allocated_ = std::move(allocated); }

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

  const std::vector<PathDiffRow>& Rows() const { return rows_; }

 private:
  size_t snapshots_;
  std::vector<PathDiffRow> rows_;
  AllocatedByType allocated_;  // empty: allocations were not sampled
};

}  // namespace cairn::presentation
