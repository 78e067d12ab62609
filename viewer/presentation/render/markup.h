#pragma once
// Text that goes into XML and HTML. Names come from the target: no tag, no entity and no control character of theirs
// gets through.
// Thread rule: pure functions.

#include <string>
#include <string_view>

namespace cairn::presentation {

// For content and for attributes in double quotes.
std::string Escaped(std::string_view text);

// " name=\"value\"", escaped.
std::string Attribute(std::string_view name, std::string_view value);

// With line ends kept: for content that is shown as it is.
std::string EscapedLines(std::string_view text);

}  // namespace cairn::presentation
