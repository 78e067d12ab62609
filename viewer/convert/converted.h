#pragma once
// What came of a conversion.

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::convert {

struct Converted {
  uint64_t objects = 0;
  std::vector<std::string> lost;  // what the other format, or ours, cannot hold
};

}  // namespace cairn::convert
