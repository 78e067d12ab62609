#pragma once
// What panels draw of a page beside its tables: notices, facts, bars, tiles.
// Thread rule: the window's thread, within a frame.

#include "viewer/ui/panel.h"

namespace cairn::ui {

void DrawNotices(const PanelContext& context);
// Side by side as far as there is room, or one below the other.
enum class FactFlow { kLine, kColumn };
void DrawFacts(const PanelContext& context, FactFlow flow);
void DrawChart(const presentation::BarChart& chart, const std::string& name, const PanelContext& context);
// All of them, in all the room that is left.
void DrawTiles(const PanelContext& context);
// An error in the place of what it prevented, with what to do. True: the user wants to try again.
bool DrawFailure(const Error& error, const Theme& theme, Probe* probe);
// A text that leads somewhere.
void DrawLink(const std::string& text, const presentation::Place& target, const std::string& name,
              const PanelContext& context);

}  // namespace cairn::ui
