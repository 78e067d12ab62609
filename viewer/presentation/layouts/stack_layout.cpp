#include "viewer/presentation/layouts/stack_layout.h"

#include <algorithm>
#include <numeric>

namespace cairn::presentation {
namespace {

// Of its width a column leaves this share free, but no more than so much.
constexpr double kGap = 0.2, kMostGap = 12, kMostWidth = 120;

uint64_t WeightOf(const StackedColumn& column) {
  return std::accumulate(column.values.begin(), column.values.end(), uint64_t{0});
}

double Step(const StackedChart& chart, const Rectangle& area) {
  return std::min(area.width / static_cast<double>(std::max<size_t>(chart.columns.size(), 1)), kMostWidth);
}

}  // namespace

uint64_t HighestOf(const StackedChart& chart) {
  uint64_t highest = 1;
  for (const StackedColumn& column : chart.columns) highest = std::max(highest, WeightOf(column));
  return highest;
}

Rectangle ColumnArea(const StackedChart& chart, const Rectangle& area, size_t column) {
  const double step = Step(chart, area);
  return {area.x + static_cast<double>(column) * step, area.y, step, area.height};
}

std::vector<PlacedPart> LayOutStack(const StackedChart& chart, const Rectangle& area) {
  std::vector<PlacedPart> parts;
  if (area.width <= 0 || area.height <= 0) return parts;
  const double scale = area.height / static_cast<double>(HighestOf(chart));
  for (size_t c = 0; c < chart.columns.size(); ++c) {
    const Rectangle whole = ColumnArea(chart, area, c);
    const double gap = std::min(whole.width * kGap, kMostGap);
    double bottom = area.y + area.height;
    for (size_t layer = 0; layer < chart.columns[c].values.size(); ++layer) {
      const double height = static_cast<double>(chart.columns[c].values[layer]) * scale;
      if (height <= 0) continue;
      bottom -= height;
      parts.push_back({c, layer, {whole.x + gap / 2, bottom, whole.width - gap, height}});
    }
  }
  return parts;
}

std::optional<size_t> ColumnAt(const StackedChart& chart, const Rectangle& area, double x, double y) {
  if (!area.Contains(x, y)) return std::nullopt;
  const auto column = static_cast<size_t>((x - area.x) / Step(chart, area));
  return column < chart.columns.size() ? std::optional(column) : std::nullopt;
}

const PlacedPart* PartAt(const std::vector<PlacedPart>& parts, double x, double y) {
  const auto at = std::find_if(parts.begin(), parts.end(), [&](const auto& part) { return part.area.Contains(x, y); });
  return at == parts.end() ? nullptr : &*at;
}

std::vector<uint64_t> RoundSteps(uint64_t highest, size_t most) {
  constexpr uint64_t kRound[] = {1, 2, 5, 10, 20, 50, 100, 200, 500};
  for (uint64_t unit = 1; unit <= highest && unit < (uint64_t{1} << 53); unit *= 1024)
    for (const uint64_t round : kRound) {
      const uint64_t step = unit * round, count = highest / step;
      if (count > most) continue;
      std::vector<uint64_t> steps;
      for (uint64_t i = 1; i <= count; ++i) steps.push_back(i * step);
      return steps;
    }
  return {};
}

}  // namespace cairn::presentation
