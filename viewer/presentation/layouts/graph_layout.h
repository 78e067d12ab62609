#pragma once
// Where the nodes and links of an allocation graph go. Each column is as high as what flows through it, on one scale;
// links leave and arrive side by side, in the order of the nodes at their other ends.
// Thread rule: pure functions. Complexity: links times the logarithm of their number.

#include <optional>
#include <vector>

#include "viewer/presentation/allocations/allocation_graph.h"
#include "viewer/presentation/layouts/treemap.h"

namespace cairn::presentation {

struct PlacedLink {
  size_t link = 0;
  double left = 0, left_top = 0, right = 0, right_top = 0;  // where it leaves and arrives
  double height = 0;
};

struct GraphPicture {
  std::vector<Rectangle> nodes;  // by node
  std::vector<PlacedLink> links;
  double column_width = 0;  // from one column of nodes to the next
};

// Nodes are `bar` wide, with `gap` between those of a column.
GraphPicture LayOutGraph(const AllocationGraph& graph, const Rectangle& area, double bar, double gap);

std::optional<size_t> NodeAt(const GraphPicture& picture, double x, double y);
// The one on top there; by position in GraphPicture::links.
std::optional<size_t> LinkAt(const GraphPicture& picture, double x, double y);
// How low the upper edge of a link lies at `x`, between its ends.
double LinkTop(const PlacedLink& link, double x);
// The next one above or below in the same column.
std::optional<size_t> NodeBeside(const AllocationGraph& graph, const GraphPicture& picture, size_t node, bool below);

}  // namespace cairn::presentation
