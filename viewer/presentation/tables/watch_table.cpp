#include "viewer/presentation/tables/watch_table.h"

#include "viewer/presentation/quantity.h"

namespace cairn::presentation {

std::vector<Column> WatchColumns() {
  return {{"number", "No", Format::kNumber},
          {"time", "Time", Format::kText, Shown::kTextOnly},
          {"captured_at", "", Format::kText, Shown::kDataOnly},
          {"cause", "Cause"},
          {"objects", "Objects", Format::kCount},
          {"bytes", "Bytes", Format::kBytes},
          {"difference_bytes", "Change", Format::kDifference},
          {"pause", "Pause", Format::kNumber, Shown::kTextOnly},
          {"pause_ms", "", Format::kNumber, Shown::kDataOnly},
          {"complete", "", Format::kFlag, Shown::kDataOnly},
          {"file", "Snapshot", Format::kText, Shown::kTextOnly},
          {"snapshot", "", Format::kText, Shown::kDataOnly}};
}

std::vector<Cell> WatchCells(const WatchRow& row) {
  return {row.number,
          row.time,
          row.captured_at,
          row.cause,
          row.objects,
          row.bytes,
          CellOf(row.difference_bytes),
          Milliseconds(row.pause_ms),
          row.pause_ms,
          row.complete,
          row.snapshot + (row.complete ? "" : " (incomplete)"),
          row.snapshot};
}

std::vector<size_t> WatchWidths() { return {4, 8, 0, 9, 13, 15, 15, 10, 0, 0, 0, 0}; }

}  // namespace cairn::presentation
