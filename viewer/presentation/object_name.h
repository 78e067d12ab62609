#pragma once
// How an object is written: @INDEX, a bare INDEX, or 0xADDRESS.

#include <cstdint>
#include <string>
#include <string_view>

#include "snapshot-format/file/result.h"

namespace cairn::presentation {

struct ObjectName {
  enum class Kind { kIndex, kAddress };
  Kind kind{};
  uint64_t value = 0;  // index within one file, or address

  bool operator==(const ObjectName&) const = default;
};

// Error usage.bad_object.
Result<ObjectName> ParseObjectName(std::string_view text);
std::string ToString(const ObjectName& name);  // "@12", "0x7f10"

}  // namespace cairn::presentation
