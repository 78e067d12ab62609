#pragma once
// How everything looks: colours, sizes and fonts, in light and dark, at any scale.
// Thread rule: the window's thread, with a current ImGui context.

#include <imgui.h>

#include <cstddef>

namespace cairn::ui {

struct Theme {
  bool dark = true;
  float scale = 1;         // of the screen, times the user's own
  ImFont* text = nullptr;  // may be the same
  ImFont* number = nullptr;

  ImU32 Link() const;
  ImU32 Faint() const;
  ImU32 Good() const;
  ImU32 Warning() const;
  ImU32 Bad() const;
  ImU32 Note() const;
  ImU32 Bar() const;
  ImU32 Rest() const;
  ImU32 TreeLine() const;
  ImU32 Grid() const;  // lines across a chart
  // Of a heap map: three that differ in lightness as well, and a mark upon them.
  ImU32 Used() const;
  ImU32 Garbage() const;
  ImU32 Pinned() const;
  // Of a group of tiles: eight hues that stay apart for colour-blind eyes, by depth lighter or darker.
  ImU32 Tile(size_t group, int depth) const;
  // For text on a tile.
  ImU32 OnTile() const;
};

// Style and fonts from scratch; nothing is multiplied twice. Fonts that are not installed fall back to the built-in
// one. To be called between frames; a renderer must upload the font texture anew.
void Apply(Theme& theme);

}  // namespace cairn::ui
