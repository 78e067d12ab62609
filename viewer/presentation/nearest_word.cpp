#include "viewer/presentation/nearest_word.h"

#include <algorithm>
#include <string>
#include <utility>
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

constexpr size_t kLongestWord = 64;  // a command line may hold anything

// "Shop.Cache<System.String>+Entry[]" → "entry"; the stars of a glob do not count.
std::string OwnName(std::string_view type) {
  std::string name;
  size_t depth = 0;
  for (const char c : type) {
    if (c == '<') ++depth;
    if (c == '>' && depth > 0) --depth;
    if (depth > 0 || std::string_view("<>*?[],&").find(c) != std::string_view::npos) continue;
    if (c == '.' || c == '+')
      name.clear();
    else
      name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return name;
}

bool LengthsAreNear(std::string_view a, std::string_view b) {
  const size_t longer = std::max(a.size(), b.size()), shorter = std::min(a.size(), b.size());
  return longer <= kLongestWord && longer - shorter <= Tolerance(a, b);
}

}  // namespace

std::vector<std::string> NearestTypes(std::string_view wanted, std::span<const std::string> names, size_t most) {
  std::vector<std::pair<size_t, std::string>> near;
  const std::string own = wanted.starts_with('/') ? std::string() : OwnName(wanted);
  if (own.empty()) return {};
  for (const std::string& name : names) {
    const std::string candidate = OwnName(name);
    if (!LengthsAreNear(own, candidate)) continue;
    const size_t distance = Distance(own, candidate);
    if (distance <= Tolerance(own, candidate)) near.emplace_back(distance, name);
  }
  std::ranges::sort(near);
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<std::string> nearest;
  for (size_t i = 0; i < near.size() && i < most; ++i) nearest.push_back(std::move(near[i].second));
  return nearest;
}

std::optional<std::string> NearestWord(std::string_view word, std::span<const std::string> known) {
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
