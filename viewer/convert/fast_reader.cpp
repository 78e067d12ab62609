#include "viewer/convert/fast_reader.h"

#include "viewer/convert/gcdump_format.h"
#include "viewer/convert/utf8.h"

namespace cairn::convert {
namespace {

bool IsHighSurrogate(uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool IsLowSurrogate(uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

}  // namespace

void FastReader::Fail(const std::string& what) {
  if (!failed_) failed_ = what + " (byte " + std::to_string(at_) + ")";
  at_ = bytes_.size();
}

std::span<const uint8_t> FastReader::Bytes(size_t count, const char* what) {
  if (failed_) return {};
  if (count > bytes_.size() - at_) {
    Fail(std::string("the file ends within ") + what);
    return {};
  }
  const auto bytes = bytes_.subspan(at_, count);
  at_ += count;
  return bytes;
}

uint32_t FastReader::Count(size_t least_bytes, const char* what) {
  const int32_t count = Int32();
  if (!failed_ && (count < 0 || static_cast<size_t>(count) > (bytes_.size() - at_) / least_bytes))
    Fail(std::string("the number of ") + what + " does not fit into the file: " + std::to_string(count));
  return failed_ ? 0 : static_cast<uint32_t>(count);
}

void FastReader::Expect(uint8_t tag, const char* what) {
  const uint8_t found = Byte();
  if (!failed_ && found != tag) Fail(std::string(what) + " is expected, not tag " + std::to_string(found));
}

uint32_t FastReader::Unit() {
  const uint32_t first = Byte();
  if (first < 0x80) return first;
  const uint32_t second = Byte() & 0x3F;
  if (first < 0xE0) return (first & 0x1F) << 6 | second;
  return (first & 0x0F) << 12 | second << 6 | (Byte() & 0x3F);
}

std::string FastReader::Text() {
  const int32_t count = Int32();
  if (count == -1) return {};
  if (!failed_ && (count < 0 || static_cast<size_t>(count) > bytes_.size() - at_))
    Fail("a text is longer than the file: " + std::to_string(count));
  std::string text;
  uint32_t high = 0;
  for (int32_t i = 0; i < count && !failed_; ++i) {
    const uint32_t unit = Unit();
    if (high && IsLowSurrogate(unit)) {
      AppendUtf8(text, 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00));
      high = 0;
      continue;
    }
    if (high) AppendUtf8(text, kReplacement);
    high = IsHighSurrogate(unit) ? unit : 0;
    if (!high) AppendUtf8(text, IsLowSurrogate(unit) ? kReplacement : unit);
  }
  if (high) AppendUtf8(text, kReplacement);
  return text;
}

// The name of a type where it is named in full: behind its tag.
FastReader::NamedType FastReader::TypeAt(size_t place) {
  const size_t back = at_;
  at_ = place;
  NamedType type;
  Expect(gcdump::kBegin, "a type");
  Expect(gcdump::kNull, "the type of a type");
  type.version = Int32();
  type.least_reader = Int32();
  type.name = Text();
  Expect(gcdump::kEnd, "the end of a type");
  if (back > at_) at_ = back;
  return type;
}

std::string FastReader::Begin() {
  const uint8_t tag = Byte();
  if (failed_ || tag == gcdump::kNull) return {};
  if (tag != gcdump::kBegin) return Fail("an object is expected, not tag " + std::to_string(tag)), std::string();
  const size_t place = at_;
  const uint8_t kind = Byte();
  NamedType type;
  if (kind == gcdump::kReference) {
    const auto label = static_cast<uint32_t>(Int32());
    if (label >= at_) return Fail("a type is named later than it is used"), std::string();
    type = TypeAt(label);
  } else {
    at_ = place;
    type = TypeAt(place);
  }
  version_ = type.version;
  least_reader_ = type.least_reader;
  return type.name;
}

void FastReader::SkipTagged(uint8_t tag) {
  constexpr size_t kSizes[] = {1, 2, 4, 8};
  if (tag >= gcdump::kByte && tag <= gcdump::kInt64) {
    Bytes(kSizes[tag - gcdump::kByte], "a field");
  } else if (tag == gcdump::kString) {
    Text();
  } else if (tag == gcdump::kBlob) {
    Bytes(Count(1, "bytes of a blob"), "a blob");
  } else if (tag == gcdump::kSkipRegion) {
    Int32();
  } else if (tag != gcdump::kNull) {
    Fail("a field has the unknown tag " + std::to_string(tag));
  }
}

void FastReader::SkipToEnd() {
  while (!failed_) {
    const uint8_t tag = Byte();
    if (tag == gcdump::kEnd) return;
    SkipTagged(tag);
  }
}

}  // namespace cairn::convert
