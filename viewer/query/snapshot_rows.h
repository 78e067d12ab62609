#pragma once
// The rows of one table in one snapshot, by number; and which of them have a value in a key column.
// Thread rule: one thread. Ownership: observes the SnapshotData it was made over.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "snapshot-format/file/result.h"
#include "snapshot-format/sql/virtual_table.h"
#include "viewer/query/snapshot_data.h"

namespace cairn::query {

using sql::Value;

// Row numbers, ascending: all of [first, end), or those listed.
struct RowList {
  uint64_t first = 0, end = 0;
  std::vector<uint64_t> listed;
  bool is_listed = false;

  static RowList Range(uint64_t first, uint64_t end) { return {first, end, {}, false}; }
  static RowList Listed(std::vector<uint64_t> rows) { return {0, rows.size(), std::move(rows), true}; }
  static RowList None() { return {}; }
  uint64_t At(uint64_t i) const { return is_listed ? listed[i] : i; }
};

class SnapshotRows {
 public:
  virtual ~SnapshotRows() = default;
  // Rows whose sorted column lies in [from, to].
  virtual Result<RowList> Between(int64_t from, int64_t to) = 0;
  // Rows whose key column equals `value`, which is not NULL; or more.
  virtual Result<RowList> Find(int column, const Value& value) = 0;
  virtual Result<Value> At(uint64_t row, int column) = 0;
};

inline constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();

// A column by which rows can be found.
struct KeyColumn {
  int column = 0;
  double rows = 1;  // about so many have one value; 0: as many as objects have one type
};

// What does not depend on the snapshot. Column 0 is always `snapshot`.
struct TableShape {
  std::string name;
  std::vector<sql::TableColumn> columns;
  int sorted = -1;            // the column in whose order rows come; looked up by range, too
  double rows_per_value = 1;  // of the sorted column
  std::vector<KeyColumn> keys;
  std::function<double(const snapshot::Summary&)> rows;  // about so many in a snapshot
  std::function<std::unique_ptr<SnapshotRows>(SnapshotData&)> open;
};

TableShape ObjectsShape();
TableShape EdgesShape();
TableShape TypesShape();
TableShape FieldsShape();
TableShape RootsShape();
TableShape StringsShape();
TableShape SnapshotsShape();

inline Value Text(const std::string& lasting) { return sql::LastingText{lasting}; }
inline Value Text(const char* literal) { return sql::LastingText{literal}; }
inline Value Number(uint64_t number) { return static_cast<int64_t>(number); }
inline Value Flag(bool flag) { return int64_t{flag}; }
template <class Index>
Value IndexOrNull(Index index) {
  return index.Valid() ? Value(static_cast<int64_t>(index.value)) : Value();
}

// A value as the text or the number of a key; none where it can equal no value of such a column.
const std::string* TextKey(const Value& value);
std::optional<uint64_t> IndexKey(const Value& value, uint64_t count);

}  // namespace cairn::query
