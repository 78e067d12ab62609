#pragma once
// All that a place shows, ready to be drawn: words, bars, tables whose cells lead on, rectangles.
// Thread rule: immutable once made. Ownership: a page keeps alive what it refers to.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "viewer/presentation/place.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

// One row of a table, cells by the name of their column.
class RowView {
 public:
  RowView(std::span<const Column> columns, std::span<const Cell> cells) : columns_(columns), cells_(cells) {}

  std::optional<uint64_t> Number(const std::string& column) const;  // nothing where it is none
  std::string Text(const std::string& column) const;

 private:
  const Cell* Find(const std::string& column) const;

  std::span<const Column> columns_;
  std::span<const Cell> cells_;
};

// Where a cell leads: of this row, in the column of this ColumnId.
using CellLink = std::function<std::optional<Place>(const RowView& row, const std::string& column)>;

struct Section {
  std::string title;
  std::shared_ptr<const Table> table;
  CellLink link;                // may be empty
  std::string empty;            // what to say where there are no rows
  std::string note;             // "and 12 more"; may be empty
  std::vector<size_t> shown{};  // columns, in the order in which people read them; set by the loader
};

// A line of name and value.
struct Fact {
  std::string name, value;
  std::optional<Place> place{};
};

// "INCOMPLETE: …" and what to do.
struct Notice {
  enum class Level { kHint, kWarning, kBad };
  Level level{};
  std::string text, advice{};
};

// A horizontal bar: what is used, and in a second colour what is not.
struct Bar {
  std::string label;
  uint64_t value = 0, rest = 0;
  std::string words;  // "12.3 MiB in 1,234 objects"
  std::optional<Place> place{};
};

struct BarChart {
  std::string title;
  std::vector<Bar> bars;
};

// What one object retains, as a rectangle's weight; descending, with what it dominates inside.
struct Tile {
  std::string label, words;
  uint64_t weight = 0;
  std::optional<Place> place{};
  std::vector<Tile> parts{};
};

struct Page {
  std::string heading;
  std::vector<Notice> notices;
  std::vector<Fact> facts;
  std::vector<BarChart> charts;
  std::vector<Tile> tiles;
  std::vector<Section> sections;  // filter and sort of the place are those of the first
  std::optional<Place> aside;     // a page that belongs below this one, and may take its time
  bool is_preview = false;        // what is there at once; the whole page is still to come
  std::shared_ptr<const void> keeps;
};

}  // namespace cairn::presentation
