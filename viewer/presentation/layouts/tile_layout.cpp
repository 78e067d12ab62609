#include "viewer/presentation/layouts/tile_layout.h"

#include <algorithm>

namespace cairn::presentation {
namespace {

constexpr double kEdge = 2, kSmallest = 0.5;

class TilePlacer {
 public:
  TilePlacer(double title, std::vector<PlacedTile>& placed) : title_(title), placed_(placed) {}

  // Of the bytes of `whole` what the tiles do not weigh stays free: it is the owner's own.
  void Place(const std::vector<Tile>& tiles, const Rectangle& area, int depth, size_t group) {
    std::vector<uint64_t> weights;
    for (const Tile& tile : tiles) weights.push_back(tile.weight);
    const std::vector<Rectangle> areas = Treemap(weights, area);
    for (size_t i = 0; i < tiles.size(); ++i) {
      if (areas[i].width < kSmallest || areas[i].height < kSmallest) continue;
      const size_t own_group = depth == 0 ? i : group;
      placed_.push_back({&tiles[i], areas[i], depth, own_group});
      PlaceParts(tiles[i], areas[i], depth, own_group);
    }
  }

 private:
  void PlaceParts(const Tile& tile, const Rectangle& area, int depth, size_t group) {
    const Rectangle inner{area.x + kEdge, area.y + title_, area.width - 2 * kEdge, area.height - title_ - kEdge};
    if (tile.parts.empty() || inner.width < title_ || inner.height < title_) return;
    Place(tile.parts, Shrunk(inner, tile), depth + 1, group);
  }

  // Parts weigh less than the tile: they take their share of its height.
  static Rectangle Shrunk(Rectangle inner, const Tile& tile) {
    double parts = 0;
    for (const Tile& part : tile.parts) parts += static_cast<double>(part.weight);
    if (tile.weight > 0) inner.height *= std::min(1.0, parts / static_cast<double>(tile.weight));
    return inner;
  }

  double title_;
  std::vector<PlacedTile>& placed_;
};

}  // namespace

std::vector<PlacedTile> LayOutTiles(const std::vector<Tile>& tiles, const Rectangle& area, double title) {
  std::vector<PlacedTile> placed;
  if (area.width > 0 && area.height > 0) TilePlacer(title, placed).Place(tiles, area, 0, 0);
  return placed;
}

const PlacedTile* TileAt(const std::vector<PlacedTile>& placed, double x, double y) {
  const PlacedTile* found = nullptr;
  for (const PlacedTile& tile : placed)
    if (tile.area.Contains(x, y)) found = &tile;  // inner ones come later
  return found;
}

}  // namespace cairn::presentation
