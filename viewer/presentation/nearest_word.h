#pragma once
// Which known word somebody may have meant.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cairn::presentation {

// The known word with the fewest changed, added, lost or swapped letters, if they are at most a third of the
// longer word's (at least one). Complexity: letters × letters per word.
std::optional<std::string> NearestWord(std::string_view word, std::span<const std::string> known);

}  // namespace cairn::presentation
