#include "viewer/presentation/layouts/graph_layout.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cairn::presentation {

namespace {

constexpr double kLowest = 1;  // of a node

class GraphLayout {
 public:
  GraphLayout(const AllocationGraph& graph, const Rectangle& area, double bar, double gap)
      : graph_(graph), area_(area), bar_(bar), gap_(gap), columns_(graph.columns) {
    picture_.nodes.resize(graph.nodes.size());
    for (size_t i = 0; i < graph.nodes.size(); ++i) columns_[graph.nodes[i].column].push_back(i);
  }

  GraphPicture Make() {
    if (graph_.columns == 0 || graph_.bytes == 0) return std::move(picture_);
    const double room = std::max(area_.width - bar_, 1.0);
    picture_.column_width = graph_.columns > 1 ? room / static_cast<double>(graph_.columns) : room;
    MeasureScale();
    for (size_t column = graph_.columns; column-- > 0;) PlaceColumn(column);
    PlaceLinks();
    return std::move(picture_);
  }

 private:
  // The fullest column decides: bytes, and the gaps between its nodes.
  void MeasureScale() {
    scale_ = std::numeric_limits<double>::max();
    for (const auto& nodes : columns_) {
      uint64_t bytes = 0;
      for (const size_t node : nodes) bytes += graph_.nodes[node].bytes;
      const double room = area_.height - gap_ * static_cast<double>(nodes.size());
      if (bytes > 0) scale_ = std::min(scale_, std::max(room, kLowest) / static_cast<double>(bytes));
    }
  }

  // Nodes stand where those that they lead to stand, as far as there is room; types by size. Others come last.
  void PlaceColumn(size_t column) {
    std::vector<size_t>& nodes = columns_[column];
    if (column + 1 < graph_.columns)
      std::ranges::stable_sort(nodes, std::less(), [&](size_t node) {
        return graph_.nodes[node].is_rest ? std::numeric_limits<double>::max() : HeightOfTargets(node);
      });
    double y = area_.y;
    for (const size_t node : nodes) {
      const double height = std::max(static_cast<double>(graph_.nodes[node].bytes) * scale_, kLowest);
      picture_.nodes[node] = {area_.x + picture_.column_width * static_cast<double>(column), y, bar_, height};
      y += height + gap_;
    }
  }

  // The mean of their middles, by bytes.
  double HeightOfTargets(size_t node) const {
    double sum = 0, weight = 0;
    for (const GraphLink& link : graph_.links) {
      if (link.from != node) continue;
      const Rectangle& to = picture_.nodes[link.to];
      sum += (to.y + to.height / 2) * static_cast<double>(link.bytes);
      weight += static_cast<double>(link.bytes);
    }
    return weight == 0 ? 0 : sum / weight;
  }

  void PlaceLinks() {
    for (size_t i = 0; i < graph_.links.size(); ++i) {
      const GraphLink& link = graph_.links[i];
      const Rectangle& from = picture_.nodes[link.from];
      picture_.links.push_back(
          {i, from.x + bar_, 0, picture_.nodes[link.to].x, 0, static_cast<double>(link.bytes) * scale_});
    }
    Stack(&GraphLink::from, &GraphLink::to, &PlacedLink::left_top);
    Stack(&GraphLink::to, &GraphLink::from, &PlacedLink::right_top);
  }

  // At the side of `at`, one below the other, as their other ends lie.
  void Stack(size_t GraphLink::*at, size_t GraphLink::*other, double PlacedLink::*top) {
    std::vector<size_t> order(graph_.links.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, std::less(), [&](size_t i) { return picture_.nodes[graph_.links[i].*other].y; });
    std::vector<double> used(graph_.nodes.size());
    for (const size_t i : order) {
      const size_t node = graph_.links[i].*at;
      picture_.links[i].*top = picture_.nodes[node].y + used[node];
      used[node] += picture_.links[i].height;
    }
  }

  const AllocationGraph& graph_;
  const Rectangle area_;
  double bar_, gap_, scale_ = 0;
  std::vector<std::vector<size_t>> columns_;
  GraphPicture picture_;
};

}  // namespace

GraphPicture LayOutGraph(const AllocationGraph& graph, const Rectangle& area, double bar, double gap) {
  return GraphLayout(graph, area, bar, gap).Make();
}

std::optional<size_t> NodeAt(const GraphPicture& picture, double x, double y) {
  for (size_t i = 0; i < picture.nodes.size(); ++i)
    if (picture.nodes[i].Contains(x, y)) return i;
  return std::nullopt;
}

// Level at both ends.
double LinkTop(const PlacedLink& link, double x) {
  const double width = std::max(link.right - link.left, 1e-9);
  const double t = std::clamp((x - link.left) / width, 0.0, 1.0);
  return link.left_top + (link.right_top - link.left_top) * t * t * (3 - 2 * t);
}

std::optional<size_t> LinkAt(const GraphPicture& picture, double x, double y) {
  for (size_t i = picture.links.size(); i-- > 0;) {
    const PlacedLink& link = picture.links[i];
    if (x < link.left || x >= link.right) continue;
    const double top = LinkTop(link, x);
    if (y >= top && y < top + std::max(link.height, 2.0)) return i;
  }
  return std::nullopt;
}

std::optional<size_t> NodeBeside(const AllocationGraph& graph, const GraphPicture& picture, size_t node, bool below) {
  std::optional<size_t> best;
  const double here = picture.nodes[node].y;
  for (size_t i = 0; i < picture.nodes.size(); ++i) {
    const double y = picture.nodes[i].y;
    if (graph.nodes[i].column != graph.nodes[node].column || (below ? y <= here : y >= here)) continue;
    if (!best || (below ? y < picture.nodes[*best].y : y > picture.nodes[*best].y)) best = i;
  }
  return best;
}

}  // namespace cairn::presentation
