#include "viewer/convert/fast_writer.h"

#include "viewer/convert/gcdump_format.h"
#include "viewer/convert/utf8.h"

namespace cairn::convert {

void FastWriter::Text(std::string_view text) {
  std::string units;
  int32_t count = 0;
  for (size_t at = 0; at < text.size();) {
    const uint32_t point = NextCodePoint(text, at);
    count += point >= 0x10000 ? 2 : 1;
    if (point < 0x10000) {
      AppendUtf8(units, point);
    } else {
      AppendUtf8(units, 0xD800 + ((point - 0x10000) >> 10));
      AppendUtf8(units, 0xDC00 + (point & 0x3FF));
    }
  }
  Int32(count);
  Bytes(units);
}

void FastWriter::Begin(const std::string& type, int32_t version, int32_t least_reader) {
  Byte(gcdump::kBegin);
  const auto [known, added] = types_.try_emplace(type, Place());
  if (!added) {
    Byte(gcdump::kReference);
    return Label(known->second);
  }
  Byte(gcdump::kBegin);
  Byte(gcdump::kNull);  // the type of a type
  Int32(version);
  Int32(least_reader);
  Text(type);
  Byte(gcdump::kEnd);
}

void FastWriter::End() { Byte(gcdump::kEnd); }

}  // namespace cairn::convert
