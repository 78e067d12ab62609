#pragma once
// A table whose rows are computed. SQLite offers the constraints of a query; the table says which ones it can look
// up, and what that costs. SQLite checks every row again, so a lookup may give too many rows, never too few.
// Thread rule: one thread. Ownership: tables outlive the queries over them.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "snapshot-format/file/result.h"
#include "snapshot-format/sql/value.h"

struct sqlite3;

namespace cairn::sql {

enum class ColumnType : uint8_t { kInteger, kText, kAny };

struct TableColumn {
  std::string name;
  ColumnType type = ColumnType::kInteger;
};

enum class Comparison : uint8_t { kEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

// `column` is compared with something that is known before the rows are asked for.
struct Constraint {
  int column = 0;
  Comparison comparison = Comparison::kEqual;
};

struct Order {
  int column = 0;
  bool descending = false;
};

struct Plan {
  std::vector<size_t> used;  // of the constraints offered; their values come with Filter
  double rows = 1e6;         // about so many are visited
  bool ordered = false;      // they come in the order asked for
};

struct Bound {
  int column = 0;
  Comparison comparison = Comparison::kEqual;
  Value value;  // of the column's type: numbers in text are numbers; NULL where it can equal nothing
};

class TableCursor {
 public:
  virtual ~TableCursor() = default;
  virtual Status Filter(std::span<const Bound> bounds) = 0;
  virtual bool AtEnd() const = 0;
  virtual Status Next() = 0;
  virtual Result<Value> Column(int column) = 0;
  virtual int64_t RowId() const = 0;
};

class VirtualTable {
 public:
  virtual ~VirtualTable() = default;
  virtual std::string Name() const = 0;
  virtual std::vector<TableColumn> Columns() const = 0;
  virtual Plan Choose(std::span<const Constraint> constraints, std::span<const Order> order) const = 0;
  virtual std::unique_ptr<TableCursor> Open() = 0;
};

// What a table's own error was, since SQLite only passes on a text.
struct TableErrors {
  Status first;
};

// Makes `table` known to the connection. Both must outlive it.
Status AddTable(sqlite3* connection, VirtualTable& table, TableErrors& errors);

}  // namespace cairn::sql
