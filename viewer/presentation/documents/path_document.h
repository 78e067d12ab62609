#pragma once
// Paths from roots: as the contract's JSON, as people read them, and as rows.

#include <string>
#include <vector>

#include "viewer/presentation/allocations/allocated_at.h"
#include "viewer/presentation/render/json_document.h"
#include "viewer/presentation/render/text_style.h"
#include "viewer/presentation/tables/table.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::presentation {

// {"count":…,"root":{…},"steps":[…]}
Json PathFields(const snapshot::Summary& summary, const session::RootPath& path);

// "Shop.Cache.Instance → _entries → [5].value"; what a root without a name is stands in brackets.
std::string FieldPath(const session::RootPath& path);

// Numbered, the most objects first: who, how many, the field path, then every step.
void WritePathsText(const snapshot::Summary& summary, const session::RootPaths& paths, TextStyle style, ByteSink& sink);

// One row per step: path 1, 2, 3 …
class PathTable : public Table {
 public:
  PathTable(const snapshot::Summary& summary, const session::RootPaths& paths);

  // Also where the types of the last steps were allocated; of an object that was sampled it is told anyway.
  void SayAllocated(std::vector<TypeAllocations> allocated) { allocated_ = std::move(allocated); }

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return places_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  struct Place {
    size_t path, step;
  };

  std::vector<Cell> AllocatedCells(const session::PathStep& step, bool asked_for) const;

  const snapshot::Summary& summary_;
  const session::RootPaths& paths_;
  std::vector<Place> places_;
  std::vector<TypeAllocations> allocated_;
};

}  // namespace cairn::presentation
