#pragma once
// Reads everything small of a snapshot and checks it against the completeness record: after this, a bit
// that was flipped in any of it has been found. Private to snapshot-format/file.

#include <string>
#include <vector>

#include "snapshot-format/file/limits.h"
#include "snapshot-format/file/rows.h"
#include "snapshot-format/file/sqlite.h"

namespace cairn::snapshot {

struct SmallTables {
  Summary summary;
  std::vector<FieldsStamp> fields;  // by type id
  std::vector<StoredChunk> chunks;  // in address order
  uint64_t fields_rows = 0;         // rows that the tables outside must have
  uint64_t columns_rows = 0;
};

Result<SmallTables> ReadSmallTables(const Database& database, const std::string& path, const Limits& limits);

}  // namespace cairn::snapshot
