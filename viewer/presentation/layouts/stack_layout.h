#pragma once
// Where the parts of stacked columns go, and which one a point is in.
// Thread rule: pure functions. Complexity: linear in the parts.

#include <optional>
#include <vector>

#include "viewer/presentation/layouts/treemap.h"
#include "viewer/presentation/pages/page.h"

namespace cairn::presentation {

struct PlacedPart {
  size_t column = 0, layer = 0;
  Rectangle area;
};

// Columns side by side, the highest as high as the area; y grows downwards, so that the first layer lies at the bottom.
// Parts of no weight are left out.
std::vector<PlacedPart> LayOutStack(const StackedChart& chart, const Rectangle& area);

// The whole width that a column has, from top to bottom.
Rectangle ColumnArea(const StackedChart& chart, const Rectangle& area, size_t column);
std::optional<size_t> ColumnAt(const StackedChart& chart, const Rectangle& area, double x, double y);
// Null between the parts.
const PlacedPart* PartAt(const std::vector<PlacedPart>& parts, double x, double y);

// Round amounts for lines across the chart, in ascending order, at most `most` of them: 1, 2 or 5 times a power of 2^10
// and 10.
std::vector<uint64_t> RoundSteps(uint64_t highest, size_t most);
// What the highest column weighs; at least 1.
uint64_t HighestOf(const StackedChart& chart);

}  // namespace cairn::presentation
