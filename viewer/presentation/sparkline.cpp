#include "viewer/presentation/sparkline.h"

#include <algorithm>

namespace cairn::presentation {
namespace {

constexpr const char* kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr size_t kHighest = std::size(kBars) - 1;
constexpr size_t kMostBars = 24;

size_t HeightOf(uint64_t value, uint64_t least, uint64_t greatest) {
  if (least == greatest) return 0;
  const double part = static_cast<double>(value - least) / static_cast<double>(greatest - least);
  return static_cast<size_t>(part * kHighest + 0.5);
}

}  // namespace

std::string Sparkline(std::span<const uint64_t> values) {
  if (values.empty()) return "";
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const size_t bars = std::min(values.size(), kMostBars);
  std::string line;
  for (size_t bar = 0; bar < bars; ++bar) {
    const size_t at = bars == values.size() ? bar : bar * (values.size() - 1) / (bars - 1);
    line += kBars[HeightOf(values[at], *least, *greatest)];
  }
  return line;
}

}  // namespace cairn::presentation
