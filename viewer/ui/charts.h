#pragma once
// Pictures of a page that answer to the mouse: a series as stacked columns, the heap as a map.
// Thread rule: the window's thread, within a frame.

#include "viewer/ui/panel.h"

namespace cairn::ui {

// As high as `height`. A part shows what it is under the mouse, and leads where its column leads; Left and Right choose
// a column, Space follows it.
void DrawStack(const presentation::StackedChart& chart, float height, const PanelContext& context);

// Scrolls where it is higher than `height`. Shift and arrows choose a piece, Space follows it.
void DrawHeapMap(const presentation::HeapMap& map, float height, const PanelContext& context);

}  // namespace cairn::ui
