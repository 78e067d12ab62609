#pragma once
// Draws one table of a page: only the rows that are seen, from an integer first row on, so that 100 million rows scroll
// as exactly as ten. Rows are chosen by mouse or arrow keys, cells lead on, titles sort (with Shift by one more
// column). Thread rule: the window's thread, within a frame.

#include <string>

#include "viewer/ui/panel.h"

namespace cairn::ui {

struct TableLook {
  std::string name;      // for probes and ids: "table0"
  float height = 0;      // 0: all that is left
  bool can_sort = true;  // its order is that of the place
  bool has_keyboard = true;
};

// The place with the next order by this column: numbers begin with the largest, texts with A; again turns the order, a
// third time gives the view's own. `add`: beside the order there is.
presentation::Place SortedBy(const presentation::Place& place, const presentation::Column& column, bool add);

// As much of both ends as has room, with an ellipsis between: of a path both say more than its middle.
std::string WithoutMiddle(const std::string& text, float room);

void DrawTable(const presentation::Section& section, TableState& state, const TableLook& look,
               const PanelContext& context);

}  // namespace cairn::ui
