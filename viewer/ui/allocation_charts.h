#pragma once
// Pictures of sampled allocations that answer to mouse and keys. What is chosen and enlarged is kept by the visit.
// Thread rule: the window's thread, within a frame.

#include "viewer/ui/panel.h"

namespace cairn::ui {

// In all the room that is left; scrolls. A click enlarges a method, and leads from a type to its objects; a click on
// what is enlarged goes back to the whole. Arrows choose a box, Enter does what a click does, Backspace goes back.
void DrawFlame(const presentation::FlameGraph& graph, const PanelContext& context);

// In all the room that is left. What is chosen, or under the mouse, shows what flows through it; types lead to their
// objects. Arrows choose a node, Enter follows it, Backspace chooses none.
void DrawAllocationGraph(const presentation::AllocationGraph& graph, const PanelContext& context);

}  // namespace cairn::ui
