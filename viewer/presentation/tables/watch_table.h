#pragma once
// The snapshots of a series, one row each, as they are taken.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

struct WatchRow {
  uint64_t number = 0;      // from 1
  std::string time;         // of day, local
  std::string captured_at;  // UTC, ISO 8601
  std::string cause;        // "start", "every", "heap grew", "heap over"
  uint64_t objects = 0, bytes = 0;
  std::optional<int64_t> difference_bytes;  // to the snapshot before
  double pause_ms = 0;
  bool complete = true;
  std::string snapshot;
};

std::vector<Column> WatchColumns();
std::vector<Cell> WatchCells(const WatchRow& row);
// As wide as the columns usually become: rows are printed before the next are known.
std::vector<size_t> WatchWidths();

}  // namespace cairn::presentation
