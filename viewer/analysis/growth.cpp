#include "viewer/analysis/growth.h"

#include <algorithm>
#include <vector>

namespace cairn::analysis {

double TypicalGrowth(std::span<const uint64_t> values) {
  std::vector<double> slopes;
  for (size_t later = 1; later < values.size(); ++later)
    for (size_t earlier = 0; earlier < later; ++earlier)
      slopes.push_back(static_cast<double>(static_cast<int64_t>(values[later] - values[earlier])) /
                       static_cast<double>(later - earlier));
  if (slopes.empty()) return 0;
  const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
  std::nth_element(slopes.begin(), middle, slopes.end());
  if (slopes.size() % 2 != 0) return *middle;
  return (*middle + *std::max_element(slopes.begin(), middle)) / 2;
}

}  // namespace cairn::analysis
