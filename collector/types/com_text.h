#pragma once
// Reads a text that a COM call writes into a caller's buffer.

#include <cstdint>
#include <string>
#include <vector>

#include "collector/abi/com.h"
#include "collector/types/utf16.h"

// A literal of the runtime's characters.
#if defined(_WIN32)
#define CAIRN_WIDE(text) L##text
#else
#define CAIRN_WIDE(text) u##text
#endif

namespace cairn::collector {

// `call(buffer, capacity, &length)` returns an HRESULT; length counts the final 0 and may exceed the capacity.
template <class Call>
bool ReadText(std::string* text, Call call) {
  constexpr uint32_t kUsual = 256;
  abi::WChar buffer[kUsual];
  uint32_t length = 0;
  abi::HRESULT hr = call(buffer, kUsual, &length);
  if (length <= kUsual) {
    if (abi::Failed(hr)) return false;
    *text = ToUtf8(buffer, length > 0 ? length - 1 : 0);
    return true;
  }
  std::vector<abi::WChar> large(length);
  hr = call(large.data(), length, &length);
  if (abi::Failed(hr) || length > large.size()) return false;
  *text = ToUtf8(large.data(), length > 0 ? length - 1 : 0);
  return true;
}

}  // namespace cairn::collector
