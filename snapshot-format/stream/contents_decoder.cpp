#include "snapshot-format/stream/contents_decoder.h"

#include <cstring>

#include "snapshot-format/stream/varint.h"

namespace cairn::stream {
namespace {

std::string At(const char* what, size_t object) { return std::string(what) + " " + std::to_string(object); }

// The bytes of one column that are left.
class Rest {
 public:
  explicit Rest(std::span<const uint8_t> bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool Varint(uint64_t& value) {
    const uint8_t* next = GetVarint(at_, end_, &value);
    if (next == nullptr) return false;
    at_ = next;
    return true;
  }
  // nullptr: there are fewer.
  const uint8_t* Bytes(uint64_t count) {
    if (count > Left()) return nullptr;
    const uint8_t* const bytes = at_;
    at_ += count;
    return bytes;
  }
  uint64_t Left() const { return static_cast<uint64_t>(end_ - at_); }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

std::string DecodeValues(std::span<const TypeLayout> layouts, std::span<const uint8_t> column,
                         const std::vector<uint32_t>& types, std::vector<uint32_t>& first,
                         std::vector<int64_t>& values) {
  Rest rest(column);
  values.clear();
  first.resize(types.size() + 1);
  for (size_t i = 0; i < types.size(); ++i) {
    first[i] = static_cast<uint32_t>(values.size());
    const uint32_t count = layouts[types[i]].value_slots;
    if (count > rest.Left()) return At("the values column ends before object", i);  // a value takes a byte at least
    for (uint32_t slot = 0; slot < count; ++slot) {
      uint64_t value = 0;
      if (!rest.Varint(value)) return At("the values column ends or is malformed at object", i);
      values.push_back(UnZigZag(value));
    }
  }
  first[types.size()] = static_cast<uint32_t>(values.size());
  return rest.Left() == 0 ? std::string() : "bytes are left over in the values column";
}

std::string DecodeHashes(std::span<const TypeLayout> layouts, std::span<const uint8_t> column,
                         const std::vector<uint32_t>& types, std::vector<uint64_t>& hashes) {
  Rest rest(column);
  hashes.assign(types.size(), 0);
  for (size_t i = 0; i < types.size(); ++i) {
    if (!layouts[types[i]].has_hash) continue;
    const uint8_t* const bytes = rest.Bytes(sizeof(uint64_t));
    if (bytes == nullptr) return At("the hashes column ends at object", i);
    std::memcpy(&hashes[i], bytes, sizeof(uint64_t));
  }
  return rest.Left() == 0 ? std::string() : "bytes are left over in the hashes column";
}

}  // namespace

std::string DecodeContents(std::span<const TypeLayout> layouts, const ChunkColumns& columns, const DecodedChunk& chunk,
                           DecodedContents& out) {
  const auto column = [&](ColumnKind kind) { return columns.column[ColumnSlot(kind)]; };
  std::string wrong = DecodeValues(layouts, column(ColumnKind::kValues), chunk.types, out.first_value_, out.values_);
  if (wrong.empty()) wrong = DecodeHashes(layouts, column(ColumnKind::kHashes), chunk.types, out.hashes_);
  if (!wrong.empty()) return wrong;
  const std::span<const uint8_t> texts = column(ColumnKind::kTexts);
  Rest rest(texts);
  out.texts_.assign(chunk.types.size(), {});
  out.text_bytes_.assign(reinterpret_cast<const char*>(texts.data()), texts.size());
  for (size_t i = 0; i < chunk.types.size(); ++i) {
    if (!layouts[chunk.types[i]].has_text) continue;
    uint64_t head = 0;
    if (!rest.Varint(head)) return At("the texts column ends or is malformed at object", i);
    const uint8_t* const bytes = head >> 1 > kMaxTextBytes ? nullptr : rest.Bytes(head >> 1);
    if (bytes == nullptr) return At("the text is longer than it may be in object", i);
    out.texts_[i] = {static_cast<uint64_t>(bytes - texts.data()), static_cast<uint32_t>(head >> 1), true,
                     (head & 1) != 0};
  }
  return rest.Left() == 0 ? std::string() : "bytes are left over in the texts column";
}

ObjectContents DecodedContents::Of(size_t i) const {
  ObjectContents contents;
  contents.values = std::span(values_).subspan(first_value_[i], first_value_[i + 1] - first_value_[i]);
  contents.hash = hashes_[i];
  contents.has_text = texts_[i].present;
  contents.text_cut = texts_[i].cut;
  contents.text = std::string_view(text_bytes_).substr(texts_[i].begin, texts_[i].bytes);
  return contents;
}

}  // namespace cairn::stream
