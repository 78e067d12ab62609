#include "snapshot-format/file/schema.h"

namespace cairn::snapshot {
namespace {

constexpr TableDefinition kTables[] = {
    {"metadata", "CREATE TABLE metadata (id INTEGER PRIMARY KEY, name TEXT NOT NULL, value)", 3, true},
    {"problems",
     "CREATE TABLE problems (id INTEGER PRIMARY KEY, code TEXT NOT NULL, message TEXT NOT NULL, "
     "incomplete INTEGER NOT NULL)",
     4, true},
    {"ranges",
     "CREATE TABLE ranges (id INTEGER PRIMARY KEY, start INTEGER NOT NULL, length INTEGER NOT NULL, "
     "reserved INTEGER NOT NULL, generation INTEGER NOT NULL, alignment INTEGER NOT NULL, objects INTEGER NOT NULL, "
     "bytes INTEGER NOT NULL, free_objects INTEGER NOT NULL, free_bytes INTEGER NOT NULL, "
     "largest_free INTEGER NOT NULL, edges INTEGER NOT NULL, walked INTEGER NOT NULL)",
     13, true},
    {"modules",
     "CREATE TABLE modules (id INTEGER PRIMARY KEY, name TEXT NOT NULL, path TEXT NOT NULL, "
     "collectible INTEGER NOT NULL)",
     4, true},
    {"types",
     "CREATE TABLE types (id INTEGER PRIMARY KEY, name TEXT NOT NULL, module INTEGER, base TEXT NOT NULL, "
     "base_type INTEGER, kind INTEGER NOT NULL, rank INTEGER NOT NULL, element TEXT NOT NULL, "
     "collectible INTEGER NOT NULL, method_table INTEGER NOT NULL, base_size INTEGER NOT NULL, "
     "component_size INTEGER NOT NULL, explicit_slots INTEGER NOT NULL, fixed_slots BLOB NOT NULL, "
     "element_slots BLOB NOT NULL, value_slots BLOB NOT NULL, has_hash INTEGER NOT NULL, "
     "has_text INTEGER NOT NULL, elements_offset INTEGER NOT NULL, loader_allocator INTEGER NOT NULL, "
     "objects INTEGER NOT NULL, bytes INTEGER NOT NULL, field_count INTEGER NOT NULL, "
     "fields_checksum INTEGER NOT NULL)",
     24, true},
    {"threads",
     "CREATE TABLE threads (id INTEGER PRIMARY KEY, os_id INTEGER NOT NULL, managed_id INTEGER NOT NULL, "
     "name TEXT NOT NULL)",
     4, true},
    {"roots",
     "CREATE TABLE roots (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, object INTEGER NOT NULL, "
     "source INTEGER NOT NULL, name TEXT NOT NULL, thread INTEGER, certain INTEGER NOT NULL, "
     "interior INTEGER NOT NULL, pinning INTEGER NOT NULL)",
     9, true},
    {"dependents",
     "CREATE TABLE dependents (id INTEGER PRIMARY KEY, primary_object INTEGER NOT NULL, "
     "secondary_object INTEGER NOT NULL)",
     3, true},
    {"methods", "CREATE TABLE methods (id INTEGER PRIMARY KEY, address INTEGER NOT NULL, name TEXT NOT NULL)", 3, true},
    {"fields", "CREATE TABLE fields (id INTEGER PRIMARY KEY, data BLOB NOT NULL)", 2, false},
    {"chunks",
     "CREATE TABLE chunks (id INTEGER PRIMARY KEY, range INTEGER NOT NULL, sequence INTEGER NOT NULL, "
     "first_address INTEGER NOT NULL, end_address INTEGER NOT NULL, continued_object INTEGER NOT NULL, "
     "continued_slot INTEGER NOT NULL, continued_type INTEGER NOT NULL, continued_slots INTEGER NOT NULL, "
     "object_count INTEGER NOT NULL, slot_count INTEGER NOT NULL, types_bytes INTEGER NOT NULL, "
     "lengths_bytes INTEGER NOT NULL, gaps_bytes INTEGER NOT NULL, references_bytes INTEGER NOT NULL, "
     "values_bytes INTEGER NOT NULL, hashes_bytes INTEGER NOT NULL, texts_bytes INTEGER NOT NULL)",
     18, true},
    {"columns", "CREATE TABLE columns (id INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, data BLOB NOT NULL)", 3,
     false},
    {"completeness",
     "CREATE TABLE completeness (id INTEGER PRIMARY KEY, name TEXT NOT NULL, row_count INTEGER NOT NULL, "
     "checksum INTEGER)",
     4, true},
    {"tracking",
     "CREATE TABLE tracking (id INTEGER PRIMARY KEY, previous TEXT NOT NULL, lost TEXT NOT NULL, "
     "collections INTEGER NOT NULL, background INTEGER NOT NULL)",
     5, true},
    {"identity",
     "CREATE TABLE identity (id INTEGER PRIMARY KEY, from_address INTEGER NOT NULL, to_address INTEGER NOT NULL, "
     "length INTEGER NOT NULL, certain INTEGER NOT NULL)",
     5, true},
    {"sampling",
     "CREATE TABLE sampling (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, seconds REAL NOT NULL, "
     "mean_bytes INTEGER NOT NULL, samples INTEGER NOT NULL, dropped INTEGER NOT NULL, unmatched INTEGER NOT NULL, "
     "lost TEXT NOT NULL)",
     8, true},
    {"allocation_methods", "CREATE TABLE allocation_methods (id INTEGER PRIMARY KEY, name TEXT NOT NULL)", 2, true},
    {"allocation_frames",
     "CREATE TABLE allocation_frames (id INTEGER PRIMARY KEY, parent INTEGER, method INTEGER NOT NULL, "
     "cut INTEGER NOT NULL)",
     4, true},
    {"allocations",
     "CREATE TABLE allocations (id INTEGER PRIMARY KEY, type TEXT NOT NULL, stack INTEGER NOT NULL, "
     "samples INTEGER NOT NULL, objects INTEGER NOT NULL, bytes INTEGER NOT NULL, exact INTEGER NOT NULL)",
     7, true},
    {"allocated", "CREATE TABLE allocated (id INTEGER PRIMARY KEY, object INTEGER NOT NULL, stack INTEGER NOT NULL)", 3,
     true},
};
static_assert(std::size(kTables) == kAllTableCount);

}  // namespace

const TableDefinition& Definition(TableId table) { return kTables[static_cast<size_t>(table)]; }

std::vector<TableId> TablesOf(const OptionalTables& tables) {
  std::vector<TableId> all;
  for (auto i = static_cast<size_t>(tables.first); i <= static_cast<size_t>(tables.last); ++i)
    all.push_back(static_cast<TableId>(i));
  return all;
}

std::vector<TableId> CompletenessOrder(OptionalSet present) {
  std::vector<TableId> order;
  for (size_t i = 0; i < static_cast<size_t>(TableId::kCompleteness); ++i) order.push_back(static_cast<TableId>(i));
  for (size_t i = 0; i < present.size(); ++i) {
    if (!present[i]) continue;
    const std::vector<TableId> tables = TablesOf(kOptionalTables[i]);
    order.insert(order.end(), tables.begin(), tables.end());
  }
  order.push_back(TableId::kCompleteness);
  return order;
}

std::string InsertSql(TableId table) {
  const TableDefinition& definition = Definition(table);
  std::string sql = std::string("INSERT INTO ") + definition.name + " VALUES (?";
  for (int i = 1; i < definition.columns; ++i) sql += ",?";
  return sql + ")";
}

std::string SelectSql(TableId table) { return std::string("SELECT * FROM ") + Definition(table).name + " ORDER BY id"; }

}  // namespace cairn::snapshot
