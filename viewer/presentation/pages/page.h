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

#include "viewer/presentation/allocations/allocation_graph.h"
#include "viewer/presentation/allocations/flame_boxes.h"
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
  bool is_rest = false;  // all that is too small or too many for tiles of their own
};

// What each snapshot of a series holds, one layer upon the other.
struct StackedLayer {
  std::string name;
  std::optional<Place> place{};
  bool is_rest = false;  // all that has no layer of its own
};

struct StackedColumn {
  std::string label, words;      // "14:02:11"; what to say of the whole column
  std::vector<uint64_t> values;  // by layer; the first lies lowest
  std::optional<Place> place{};  // what changed since the column before
};

struct StackedChart {
  std::string title;
  std::vector<StackedLayer> layers;
  std::vector<StackedColumn> columns;
};

// A piece of the heap, the bytes from `address` on.
struct HeapCell {
  uint64_t address = 0, reachable = 0, unreachable = 0, free = 0;
  uint32_t pinned = 0;  // objects that cannot move

  uint64_t Bytes() const { return reachable + unreachable + free; }
};

// The pieces of one generation, by address; what lies between them is not its.
struct HeapStrip {
  std::string name, words;
  std::vector<HeapCell> cells;
  std::optional<Place> place{};
};

struct HeapMap {
  uint64_t bytes_per_cell = 0;
  std::vector<HeapStrip> strips;
};

// What a note of this page is about: of which snapshot, and what of it ("", "@12" or a type).
struct NoteSubject {
  std::string snapshot, thing;

  bool operator==(const NoteSubject&) const = default;
};

struct Page {
  std::string heading;
  std::vector<Notice> notices;
  std::vector<Fact> facts;
  std::vector<BarChart> charts;
  std::optional<BarChart> memory{};  // of the process; belongs beside the facts
  std::vector<Tile> tiles;
  std::optional<StackedChart> stack{};
  std::optional<HeapMap> heap{};
  std::optional<FlameGraph> flame{};
  std::optional<AllocationGraph> graph{};
  std::optional<NoteSubject> subject{};
  std::vector<Section> sections;  // filter and sort of the place are those of the first
  std::optional<Place> aside;     // a page that belongs below this one, and may take its time
  bool is_preview = false;        // what is there at once; the whole page is still to come
  std::shared_ptr<const void> keeps;
};

}  // namespace cairn::presentation
