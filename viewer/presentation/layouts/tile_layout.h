#pragma once
// The rectangles of a treemap with what lies inside them, and which one a point is in.
// Thread rule: pure functions. Complexity: linear in the tiles.

#include <vector>

#include "viewer/presentation/layouts/treemap.h"
#include "viewer/presentation/pages/page.h"

namespace cairn::presentation {

struct PlacedTile {
  const Tile* tile = nullptr;  // of the tiles that were laid out
  Rectangle area;
  int depth = 0;     // 0: outermost
  size_t group = 0;  // of which outermost tile it is, or is part
};

// Outer tiles before their parts. Parts leave a title line of `title` and an edge of 2 free, and are left out where
// they would have no room. A tile narrower or lower than half a unit is left out.
std::vector<PlacedTile> LayOutTiles(const std::vector<Tile>& tiles, const Rectangle& area, double title);

// The innermost tile there; null for none.
const PlacedTile* TileAt(const std::vector<PlacedTile>& placed, double x, double y);

}  // namespace cairn::presentation
