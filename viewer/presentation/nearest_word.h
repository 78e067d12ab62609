#pragma once
// Which known word somebody may have meant.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::presentation {

// The known word with the fewest changed, added, lost or swapped letters, if they are at most a third of the
// longer word's (at least one). Complexity: letters × letters per word.
std::optional<std::string> NearestWord(std::string_view word, std::span<const std::string> known);

// Types whose own names (without namespace, outer types and arguments) are near that of `wanted`, upper and lower case
// alike: the nearest first, at most `most`, each once. None for a regular expression. Complexity: as above, where
// lengths are near.
std::vector<std::string> NearestTypes(std::string_view wanted, std::span<const std::string> names, size_t most);

}  // namespace cairn::presentation
