#pragma once
// The one model of every table: text, CSV, JSON and panels are fed from it, so that a number is the same
// everywhere.
// Thread rule: plain data; a model that is no longer changed may be read from any thread.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace cairn::presentation {

// No value: null in JSON, empty in CSV, "-" in text.
using Cell = std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string>;

enum class Format {
  kText,
  kCount,       // grouped in text
  kBytes,       // grouped in text
  kDifference,  // signed and grouped in text
  kObject,      // @INDEX in text
  kNumber,      // as it is: a process id
  kFlag,        // yes or no in text
};

enum class Shown { kEverywhere, kTextOnly, kDataOnly };

struct Column {
  std::string key;    // in JSON and CSV
  std::string title;  // in text
  Format format = Format::kText;
  Shown shown = Shown::kEverywhere;
  bool hide_if_empty = false;      // in text: left out while every cell is null or zero
  std::optional<size_t> series{};  // JSON folds columns of one key into an array; CSV writes key_1, key_2 …
  int place = 0;                   // in text: columns in ascending place, then as listed

  bool IsNumeric() const { return format != Format::kText && format != Format::kFlag; }
};

class Table {
 public:
  virtual ~Table() = default;
  virtual std::vector<Column> Columns() const = 0;
  virtual uint64_t RowCount() const = 0;
  virtual std::vector<Cell> Row(uint64_t row) const = 0;
  // One cell of it. Long tables give it without making the others.
  virtual Cell At(uint64_t row, size_t column) const { return Row(row).at(column); }
};

// Receives a table row by row, so that none needs to be held whole.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void Begin(std::span<const Column> columns) = 0;
  // False: nobody reads any more, the rest may be left out.
  virtual bool Row(std::span<const Cell> cells) = 0;
  virtual void End(uint64_t rows_left_out) = 0;
};

// The first `top` rows (all without it), and how many that leaves out.
void Emit(const Table& table, std::optional<uint64_t> top, RowSink& sink);

template <class T>
Cell CellOf(const std::optional<T>& value) {
  return value ? Cell(*value) : Cell();
}

}  // namespace cairn::presentation
