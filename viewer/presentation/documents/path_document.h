#pragma once
// Paths from roots: as the contract's JSON, as people read them, and as rows.

#include <string>
#include <vector>

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

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return places_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  struct Place {
    size_t path, step;
  };

  const snapshot::Summary& summary_;
  const session::RootPaths& paths_;
  std::vector<Place> places_;
};

}  // namespace cairn::presentation
