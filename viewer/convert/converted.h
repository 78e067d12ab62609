#pragma once
// What came of a conversion.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "snapshot-format/file/model.h"

namespace cairn::convert {

struct Converted {
  uint64_t objects = 0;
  std::vector<std::string> lost;  // what the other format, or ours, cannot hold
};

// Contents of objects, which no format here keeps, as far as the snapshot has them.
inline void AddLostContents(const snapshot::Summary& summary, std::vector<std::string>& lost) {
  const auto any = [&](auto has) { return std::any_of(summary.types.begin(), summary.types.end(), has); };
  if (any([](const snapshot::Type& type) { return type.layout.has_text; })) lost.emplace_back("texts of strings");
  if (any([](const snapshot::Type& type) { return type.layout.value_slots > 0; }))
    lost.emplace_back("values of fields");
}

}  // namespace cairn::convert
