#pragma once
// The .NET processes of this machine. Rows are plain data of its own, so that this room needs no client.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

struct ProcessRow {
  int64_t pid = 0;
  std::string name, user, runtime;  // runtime empty where it could not be asked
  uint64_t rss_bytes = 0;
  bool attachable = false;
  std::optional<std::string> reason;  // why not, or with what it can be
};

class ProcessTable : public Table {
 public:
  explicit ProcessTable(std::vector<ProcessRow> rows);  // in order of pid

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  std::vector<ProcessRow> rows_;
};

}  // namespace cairn::presentation
