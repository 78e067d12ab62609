#include "collector/types/utf16.h"

#include <cstdint>
#include <cstring>

namespace cairn::collector {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

bool IsHigh(uint32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool IsLow(uint32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

uint32_t NextPoint(const abi::WChar* text, size_t length, size_t* at) {
  const uint32_t unit = static_cast<uint16_t>(text[(*at)++]);
  if (!IsHigh(unit) && !IsLow(unit)) return unit;
  if (IsLow(unit) || *at == length || !IsLow(static_cast<uint16_t>(text[*at]))) return kReplacement;
  const uint32_t low = static_cast<uint16_t>(text[(*at)++]);
  return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

size_t Encode(uint32_t point, char (&out)[4]) {
  if (point < 0x80) {
    out[0] = static_cast<char>(point);
    return 1;
  }
  const size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  for (size_t i = size - 1; i > 0; --i, point >>= 6) out[i] = static_cast<char>(0x80 | (point & 0x3F));
  constexpr uint32_t kLead[] = {0, 0, 0xC0, 0xE0, 0xF0};
  out[0] = static_cast<char>(kLead[size] | point);
  return size;
}

}  // namespace

size_t ToUtf8(const abi::WChar* text, size_t length, char* out, size_t capacity) {
  size_t used = 0;
  for (size_t at = 0; at < length;) {
    char encoded[4];
    const size_t size = Encode(NextPoint(text, length, &at), encoded);
    if (used + size > capacity) break;
    std::memcpy(out + used, encoded, size);
    used += size;
  }
  return used;
}

std::string ToUtf8(const abi::WChar* text, size_t length) {
  std::string out(length * 3, '\0');  // a pair needs four bytes for two units
  out.resize(ToUtf8(text, length, out.data(), out.size()));
  return out;
}

// Input is UTF-8 of our own making, from ToUtf8.
std::basic_string<abi::WChar> ToUtf16(std::string_view text) {
  std::basic_string<abi::WChar> out;
  for (size_t at = 0; at < text.size();) {
    const auto lead = static_cast<uint8_t>(text[at]);
    const size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t point = size == 1 ? lead : lead & (0xFFu >> (size + 1));
    for (size_t i = 1; i < size && at + i < text.size(); ++i) point = point << 6 | (text[at + i] & 0x3F);
    at += size;
    if (point >= 0x10000) {
      out += static_cast<abi::WChar>(0xD800 + ((point - 0x10000) >> 10));
      point = 0xDC00 + ((point - 0x10000) & 0x3FF);
    }
    out += static_cast<abi::WChar>(point);
  }
  return out;
}

}  // namespace cairn::collector
