#pragma once
// The runtime's text as UTF-8 and back. A lone surrogate becomes U+FFFD.

#include <cstddef>
#include <string>
#include <string_view>

#include "collector/abi/com.h"

namespace cairn::collector {

std::string ToUtf8(const abi::WChar* text, size_t length);
std::basic_string<abi::WChar> ToUtf16(std::string_view text);

// Writes at most `capacity` bytes, whole characters, allocates nothing; returns how many.
size_t ToUtf8(const abi::WChar* text, size_t length, char* out, size_t capacity);

}  // namespace cairn::collector
