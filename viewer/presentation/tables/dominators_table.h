#pragma once
// What an object, or the whole heap, immediately dominates.

#include "viewer/presentation/tables/table.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::presentation {

class DominatorsTable : public Table {
 public:
  // `whole`: the bytes that shares are of; 0: no shares.
  DominatorsTable(const snapshot::Summary& summary, session::DominatedObjects list, uint64_t whole)
      : summary_(summary), list_(std::move(list)), whole_(whole) {}

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return list_.children.size(); }
  std::vector<Cell> Row(uint64_t row) const override;
  // Children that the list leaves out.
  uint64_t LeftOut() const { return list_.total - list_.children.size(); }
  uint64_t Total() const { return list_.total; }

 private:
  const snapshot::Summary& summary_;
  session::DominatedObjects list_;
  uint64_t whole_;
};

}  // namespace cairn::presentation
