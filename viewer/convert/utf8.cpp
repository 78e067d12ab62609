#include "viewer/convert/utf8.h"

namespace cairn::convert {
namespace {

bool IsContinuation(std::string_view text, size_t at) {
  return at < text.size() && (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80;
}

}  // namespace

uint32_t NextCodePoint(std::string_view text, size_t& at) {
  const uint8_t first = static_cast<uint8_t>(text[at++]);
  if (first < 0x80) return first;
  const size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  constexpr uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  uint32_t point = first & (0x3F >> more);
  for (size_t i = 0; i < more; ++i) {
    if (!IsContinuation(text, at + i)) return kReplacement;
    point = point << 6 | (static_cast<uint8_t>(text[at + i]) & 0x3F);
  }
  const bool is_surrogate = point >= 0xD800 && point <= 0xDFFF;
  const bool valid = first >= 0xC2 && first <= 0xF4 && point >= kLeast[more] && point <= 0x10FFFF && !is_surrogate;
  if (!valid) return kReplacement;
  at += more;
  return point;
}

void AppendUtf8(std::string& out, uint32_t point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
    return;
  }
  const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  constexpr uint32_t kFirst[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(kFirst[more] | point >> (6 * more));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (point >> (6 * i) & 0x3F));
}

std::string ValidUtf8(std::string_view text) {
  std::string valid;
  for (size_t at = 0; at < text.size();) AppendUtf8(valid, NextCodePoint(text, at));
  return valid;
}

}  // namespace cairn::convert
