#pragma once
// Many objects of one snapshot as rows: 4 bytes each, whatever is shown of them is read when it is shown.
// Thread rule: immutable. Ownership: shares the session, whose dominators are computed.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "viewer/presentation/tables/table.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::presentation {

class ListedObjectsTable : public Table {
 public:
  // Matching objects in the order asked for, or its reverse. Errors: those of the session.
  static Result<std::shared_ptr<const ListedObjectsTable>> List(std::shared_ptr<session::SnapshotSession> session,
                                                                const session::ObjectRequest& request, bool reversed,
                                                                analysis::Work& work);

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return objects_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;
  Cell At(uint64_t row, size_t column) const override;

  uint64_t ObjectAt(uint64_t row) const { return objects_.at(row); }
  const std::string& TypeAt(uint64_t row) const;
  uint64_t Bytes() const { return bytes_; }

 private:
  ListedObjectsTable(std::shared_ptr<session::SnapshotSession> session, bool reachable);

  session::ObjectInfo InfoAt(uint64_t row) const;

  std::shared_ptr<session::SnapshotSession> session_;
  std::vector<std::string> type_names_;
  bool reachable_;
  const analysis::HeapGraph* graph_ = nullptr;
  const session::Dominance* dominance_ = nullptr;
  std::vector<uint32_t> objects_;
  uint64_t bytes_ = 0;
};

}  // namespace cairn::presentation
