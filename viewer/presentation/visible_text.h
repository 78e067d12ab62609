#pragma once
// Names come from the target and may be hostile: what is printed may neither move the cursor, nor start a
// new line, nor turn the writing direction. JSON keeps the exact text by its own escapes.
// Thread rule: pure functions.

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::presentation {

// The text with control characters, line and direction marks written as \u001b and bytes that are no UTF-8 as \xff.
std::string VisibleText(std::string_view text);

// The text with bytes that are no UTF-8 replaced by U+FFFD; everything else as it is.
std::string ValidUtf8(std::string_view text);

// Terminal columns of a visible text: one per code point.
size_t DisplayWidth(std::string_view text);

// At most `width` columns, the middle replaced by "…".
std::string Shortened(std::string_view text, size_t width);

}  // namespace cairn::presentation
