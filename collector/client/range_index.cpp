#include "collector/client/range_index.h"

#include <algorithm>

namespace cairn::client {

bool RangeIndex::Find(uint64_t address, Span& cached) const {
  auto after = std::upper_bound(spans_.begin(), spans_.end(), address,
                                [](uint64_t at, const Span& span) { return at < span.start; });
  if (after == spans_.begin()) return false;
  const Span& span = *std::prev(after);
  if (address - span.start >= span.length) return false;
  cached = span;
  return true;
}

}  // namespace cairn::client
