#include "viewer/presentation/layouts/flame_layout.h"

#include <cstdint>

namespace cairn::presentation {

std::vector<PlacedBox> LayOutFlame(const FlameGraph& graph, std::optional<size_t> zoom, double width, double row,
                                   double least) {
  const size_t of = zoom.value_or(SIZE_MAX);
  const bool zooms = of < graph.boxes.size();
  const uint64_t from = zooms ? graph.boxes[of].start : 0;
  const uint64_t bytes = zooms ? graph.boxes[of].bytes : graph.bytes;
  std::vector<PlacedBox> placed;
  if (bytes == 0) return placed;
  const double scale = width / static_cast<double>(bytes);
  for (size_t i = 0; i < graph.boxes.size(); ++i) {
    const FlameBox& box = graph.boxes[i];
    const double y = box.level * row;
    const bool carries = zooms && i != of && IsWithin(graph, of, i);
    if (carries) placed.push_back({i, {0, y, width, row}});
    if (carries || (zooms && !IsWithin(graph, i, of))) continue;
    const double wide = static_cast<double>(box.bytes) * scale;
    if (wide >= least) placed.push_back({i, {static_cast<double>(box.start - from) * scale, y, wide, row}});
  }
  return placed;
}

const PlacedBox* BoxAt(const std::vector<PlacedBox>& placed, double x, double y) {
  for (const PlacedBox& box : placed)
    if (box.area.Contains(x, y)) return &box;
  return nullptr;
}

}  // namespace cairn::presentation
