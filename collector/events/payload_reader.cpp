#include "collector/events/payload_reader.h"

#include <vector>

#include "collector/types/utf16.h"

namespace cairn::collector {

// The characters may lie at odd addresses.
std::string PayloadReader::Text() {
  std::vector<abi::WChar> units;
  for (;;) {
    const auto unit = Next<uint16_t>();
    if (unit == 0) break;
    units.push_back(static_cast<abi::WChar>(unit));
  }
  return ToUtf8(units.data(), static_cast<uint32_t>(units.size()));
}

}  // namespace cairn::collector
