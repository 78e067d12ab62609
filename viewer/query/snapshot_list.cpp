// snapshots: the files themselves, one row each; where the column `snapshot` of the other tables leads.

#include "viewer/query/snapshot_rows.h"

namespace cairn::query {
namespace {

enum SnapshotColumn : int { kSnapshot, kPath, kCapturedAt, kProcess, kProcessId, kObjects, kBytes, kComplete };

class OneSnapshot : public SnapshotRows {
 public:
  explicit OneSnapshot(SnapshotData& data) : data_(data) {}

  Result<RowList> Between(int64_t, int64_t) override { return RowList::Range(0, 1); }
  Result<RowList> Find(int, const Value&) override { return RowList::Range(0, 1); }

  Result<Value> At(uint64_t, int column) override {
    const snapshot::Summary& summary = data_.Summary();
    switch (column) {
      case kSnapshot:
        return data_.Number();
      case kPath:
        return Text(data_.Session().Path());
      case kCapturedAt:
        return Text(summary.capture.captured_at);
      case kProcess:
        return Text(summary.process.name);
      case kProcessId:
        return Value(summary.process.pid);
      case kObjects:
        return Number(summary.totals.objects);
      case kBytes:
        return Number(summary.totals.bytes);
      default:
        return Flag(summary.complete);
    }
  }

 private:
  SnapshotData& data_;
};

}  // namespace

TableShape SnapshotsShape() {
  using sql::ColumnType;
  TableShape shape;
  shape.name = "snapshots";
  shape.columns = {{"snapshot"},
                   {"path", ColumnType::kText},
                   {"captured_at", ColumnType::kText},
                   {"process", ColumnType::kText},
                   {"process_id"},
                   {"objects"},
                   {"bytes"},
                   {"complete"}};
  shape.rows = [](const snapshot::Summary&) { return 1.0; };
  shape.open = [](SnapshotData& data) { return std::make_unique<OneSnapshot>(data); };
  return shape;
}

}  // namespace cairn::query
