#pragma once
// Where the boxes of a flame graph go, and which one a point is in. The outermost method is on top, since what does not
// fit below is scrolled to.
// Thread rule: pure functions. Complexity: linear in the boxes.

#include <optional>
#include <vector>

#include "viewer/presentation/allocations/flame_boxes.h"
#include "viewer/presentation/layouts/treemap.h"

namespace cairn::presentation {

struct PlacedBox {
  size_t box = 0;
  Rectangle area;
};

// Rows of `row`, as wide as `width`; what is narrower than `least` is left out, with all that lies on it. With `zoom`
// that box has the whole width, and so have those that it lies on.
std::vector<PlacedBox> LayOutFlame(const FlameGraph& graph, std::optional<size_t> zoom, double width, double row,
                                   double least = 1);
const PlacedBox* BoxAt(const std::vector<PlacedBox>& placed, double x, double y);

}  // namespace cairn::presentation
