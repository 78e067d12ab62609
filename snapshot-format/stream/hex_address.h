#pragma once
// How an address is written in every sentence: "0x7f0000001000".

#include <charconv>
#include <cstdint>
#include <string>

namespace cairn::stream {

inline std::string HexAddress(uint64_t address) {
  char text[18] = {'0', 'x'};
  return {text, std::to_chars(text + 2, text + sizeof text, address, 16).ptr};
}

}  // namespace cairn::stream
