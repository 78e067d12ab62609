#pragma once
// Rectangles whose areas are to each other as weights are: squarified, so that they are no slivers (Bruls, Huizing and
// van Wijk, "Squarified Treemaps", 2000).
// Thread rule: pure functions. Complexity: linear in the weights.

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::presentation {

struct Rectangle {
  double x = 0, y = 0, width = 0, height = 0;

  bool Contains(double at_x, double at_y) const {
    return at_x >= x && at_y >= y && at_x < x + width && at_y < y + height;
  }
};

// One rectangle per weight, in their order; `weights` descend. Of no weight: an empty one.
std::vector<Rectangle> Treemap(std::span<const uint64_t> weights, const Rectangle& area);

}  // namespace cairn::presentation
