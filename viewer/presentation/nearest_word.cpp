#include "viewer/presentation/nearest_word.h"

#include <algorithm>
#include <vector>

namespace cairn::presentation {
namespace {

// Optimal string alignment distance: a swap of neighbours counts as one.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

size_t Tolerance(std::string_view a, std::string_view b) {
  return std::max<size_t>(1, std::max(a.size(), b.size()) / 3);
}

}  // namespace

std::optional<std::string> NearestWord(std::string_view word, std::span<const std::string> known) {
  constexpr size_t kLongestWord = 64;  // a command line may hold anything
  if (word.size() > kLongestWord) return std::nullopt;
  std::optional<std::string> nearest;
  size_t best = kLongestWord + 1;
  for (const std::string& candidate : known) {
    const size_t distance = Distance(word, candidate);
    if (distance >= best || distance > Tolerance(word, candidate)) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace cairn::presentation
