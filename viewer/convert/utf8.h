#pragma once
// Names come from the target and need not be UTF-8; other formats insist on it.
// Thread rule: pure functions.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::convert {

inline constexpr uint32_t kReplacement = 0xFFFD;

// The code point at `at`, which moves on; U+FFFD for one byte that starts none.
uint32_t NextCodePoint(std::string_view text, size_t& at);
void AppendUtf8(std::string& out, uint32_t point);

// `text` with U+FFFD for bytes that are no UTF-8.
std::string ValidUtf8(std::string_view text);

}  // namespace cairn::convert
