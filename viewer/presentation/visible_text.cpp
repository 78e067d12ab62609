#include "viewer/presentation/visible_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace cairn::presentation {
namespace {

struct CodePoint {
  uint32_t value = 0;
  size_t bytes = 0;  // 0: the first byte is no UTF-8
};

size_t SequenceLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

bool IsScalar(uint32_t value, size_t bytes) {
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return value >= kSmallest[bytes] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

CodePoint First(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t bytes = SequenceLength(lead);
  if (bytes == 0 || bytes > text.size()) return {};
  if (bytes == 1) return {lead, 1};
  uint32_t value = lead & (0x7Fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return {};
    value = value << 6 | (next & 0x3Fu);
  }
  return IsScalar(value, bytes) ? CodePoint{value, bytes} : CodePoint{};
}

// Control characters (C0, DEL, C1), zero-width and direction marks, line separators, byte order mark, and tags.
bool IsInvisible(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) ||
         (c >= 0xE0000 && c <= 0xE007F);
}

bool IsPlain(std::string_view text) {
  for (const char c : text)
    if (c < 0x20 || c == 0x7F) return false;  // char is signed: bytes of 0x80 and more count as not plain
  return true;
}

std::string_view Prefix(std::string_view text, size_t columns) {
  size_t bytes = 0;
  for (; columns > 0 && bytes < text.size(); --columns) {
    const CodePoint c = First(text.substr(bytes));
    bytes += c.bytes == 0 ? 1 : c.bytes;
  }
  return text.substr(0, bytes);
}

}  // namespace

std::string VisibleText(std::string_view text) {
  if (IsPlain(text)) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const CodePoint c = First(text);
    const size_t bytes = c.bytes == 0 ? 1 : c.bytes;
    if (c.bytes == 0)
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (IsInvisible(c.value))
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c.value);
    else
      out.append(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return out;
}

std::string ValidUtf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const CodePoint c = First(text);
    out.append(c.bytes == 0 ? "\xEF\xBF\xBD" : text.substr(0, c.bytes));
    text.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
  }
  return out;
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return width;
}

std::string Shortened(std::string_view text, size_t width) {
  const size_t have = DisplayWidth(text);
  if (have <= width) return std::string(text);
  if (width == 0) return {};
  const size_t tail = (width - 1) / 2, head = width - 1 - tail;
  const std::string_view before_tail = Prefix(text, have - tail);
  return std::string(Prefix(text, head)) + "…" + std::string(text.substr(before_tail.size()));
}

}  // namespace cairn::presentation
