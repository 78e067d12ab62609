#pragma once
// The SQLite schema of a snapshot. FORMAT.md, "Tables", is normative; this file follows it.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace cairn::snapshot {

// Header of the SQLite file. On disk: do not change.
inline constexpr uint32_t kApplicationId = 0x4341524E;  // "CARN"
inline constexpr uint32_t kFormatVersion = 0;           // user_version
inline constexpr uint32_t kPageBytes = 65536;
// Format 0 promises nothing: each change of it takes the next draft, and a reader accepts only its own.
inline constexpr int64_t kDraft = 2;

// In the order in which they are created and, all but fields and columns, checksummed.
enum class TableId : uint8_t {
  kMetadata,
  kProblems,
  kRanges,
  kModules,
  kTypes,
  kThreads,
  kRoots,
  kDependents,
  kMethods,
  kFields,
  kChunks,
  kColumns,
  kCompleteness,
  // Only where objects were followed, both or none.
  kTracking,
  kIdentity,
};
inline constexpr size_t kTableCount = 13;
inline constexpr size_t kAllTableCount = 15;

struct TableDefinition {
  const char* name;
  const char* sql;    // exactly as it stands in sqlite_schema
  int columns;        // id included
  bool has_checksum;  // false: each row carries its own, or is covered by another table's row
};

const TableDefinition& Definition(TableId table);

// The tables as the completeness record names them, itself last.
std::vector<TableId> CompletenessOrder(bool tracked);

// "INSERT INTO t VALUES (?,…)" and "SELECT * FROM t ORDER BY id".
std::string InsertSql(TableId table);
std::string SelectSql(TableId table);

}  // namespace cairn::snapshot
