#pragma once
// One cell of a table or of a result.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace cairn::sql {

// Text that stays where it is until the query ends, so that it needs no copy.
struct LastingText {
  std::string_view text;
  bool operator==(const LastingText&) const = default;
};

// monostate: NULL.
using Value = std::variant<std::monostate, int64_t, double, std::string, LastingText>;

}  // namespace cairn::sql
