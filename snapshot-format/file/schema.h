#pragma once
// The SQLite schema of a snapshot. FORMAT.md, "Tables", is normative; this file follows it.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace cairn::snapshot {

// Header of the SQLite file. On disk: do not change.
inline constexpr uint32_t kApplicationId = 0x4341524E;  // "CARN"
inline constexpr uint32_t kFormatVersion = 1;           // user_version
inline constexpr uint32_t kPageBytes = 65536;

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
  // Only where allocations were sampled, all or none.
  kSampling,
  kAllocationMethods,
  kAllocationFrames,
  kAllocations,
  kAllocated,
};
inline constexpr size_t kTableCount = 13;
inline constexpr size_t kAllTableCount = 20;

// Tables that a snapshot has all of or none, in the order of the schema.
struct OptionalTables {
  TableId first, last;
};
inline constexpr OptionalTables kOptionalTables[] = {{TableId::kTracking, TableId::kIdentity},
                                                     {TableId::kSampling, TableId::kAllocated}};
// A bit per entry of kOptionalTables.
using OptionalSet = std::bitset<std::size(kOptionalTables)>;
inline constexpr size_t kTrackingTables = 0, kSamplingTables = 1;
std::vector<TableId> TablesOf(const OptionalTables& tables);

struct TableDefinition {
  const char* name;
  const char* sql;    // exactly as it stands in sqlite_schema
  int columns;        // id included
  bool has_checksum;  // false: each row carries its own, or is covered by another table's row
};

const TableDefinition& Definition(TableId table);

// The tables as the completeness record names them, itself last.
std::vector<TableId> CompletenessOrder(OptionalSet present);

// "INSERT INTO t VALUES (?,…)" and "SELECT * FROM t ORDER BY id".
std::string InsertSql(TableId table);
std::string SelectSql(TableId table);

}  // namespace cairn::snapshot
