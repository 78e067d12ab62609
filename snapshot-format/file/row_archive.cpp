#include "snapshot-format/file/row_archive.h"

#include <cstring>

namespace cairn::snapshot {
namespace {

constexpr size_t kNoteBytes = 64;

std::vector<uint8_t> PackOffsets(const std::vector<uint32_t>& offsets) {
  std::vector<uint8_t> bytes;
  bytes.reserve(offsets.size() * 4);
  for (const uint32_t offset : offsets) {
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(offset >> (8 * i)));
  }
  return bytes;
}

std::vector<uint32_t> UnpackOffsets(std::span<const uint8_t> bytes) {
  std::vector<uint32_t> offsets(bytes.size() / 4);
  for (size_t i = 0; i < bytes.size(); ++i) offsets[i / 4] |= uint32_t{bytes[i]} << (8 * (i % 4));
  return offsets;
}

}  // namespace

std::string WithinLimit(const std::string& text) {
  const size_t most = Limits{}.max_text_bytes;
  if (text.size() <= most) return text;
  size_t cut = most - kNoteBytes;
  while (cut > 0 && (text[cut] & 0xC0) == 0x80) --cut;  // never inside a UTF-8 sequence
  return text.substr(0, cut) + "… (cut; " + std::to_string(text.size()) + " bytes)";
}

void RowBinder::operator()(const char*, const double& value) {
  const double finite = std::isfinite(value) ? value : 0;
  digest_.Real(finite);
  statement_.BindReal(at_++, finite);
}

void RowBinder::operator()(const char*, const std::string& text) {
  const std::string& kept = text.size() > Limits{}.max_text_bytes ? texts_.emplace_back(WithinLimit(text)) : text;
  digest_.Text(AsBytes(kept));
  statement_.BindText(at_++, kept);
}

void RowBinder::operator()(const char*, const std::optional<uint64_t>& value) {
  value ? Integer(static_cast<int64_t>(*value)) : Null();
}

void RowBinder::Id(const char*, const uint32_t& id) { id == kNoId ? Null() : Integer(id); }

void RowBinder::Offsets(const char*, const std::vector<uint32_t>& offsets, uint32_t) {
  const std::vector<uint8_t>& kept = blobs_.emplace_back(PackOffsets(offsets));
  digest_.Blob(kept);
  statement_.BindBlob(at_++, kept);
}

void RowBinder::Null() {
  digest_.Null();
  statement_.BindNull(at_++);
}

Status RowBinder::Run() {
  digest_.EndRow();
  return statement_.Run();
}

bool RowParser::Expect(const char* name, int type) {
  if (statement_.ColumnType(at_) == type) return true;
  Wrong(name, "holds a value of another type");
  ++at_;
  return false;
}

int64_t RowParser::Integer(const char* name) {
  if (!Expect(name, SQLITE_INTEGER)) return 0;
  const int64_t value = statement_.Integer(at_++);
  digest_.Integer(value);
  return value;
}

void RowParser::operator()(const char* name, double& value) {
  if (!Expect(name, SQLITE_FLOAT)) return;
  value = statement_.Real(at_++);
  digest_.Real(value);
  if (!std::isfinite(value)) Wrong(name, "is not a number");
}

void RowParser::operator()(const char* name, std::string& text) {
  if (!Expect(name, SQLITE_TEXT)) return;
  const std::span<const uint8_t> bytes = statement_.Bytes(at_++);
  if (bytes.size() > limits_.max_text_bytes) return Wrong(name, "is longer than any text may be");
  digest_.Text(bytes);
  text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void RowParser::operator()(const char* name, std::optional<uint64_t>& value) {
  if (statement_.ColumnType(at_) != SQLITE_NULL) {
    value = static_cast<uint64_t>(Integer(name));
    return;
  }
  digest_.Null();
  ++at_;
}

void RowParser::Id(const char* name, uint32_t& id) {
  std::optional<uint64_t> stored;
  (*this)(name, stored);
  if (stored && *stored >= kNoId) return Wrong(name, "is out of range");
  id = stored ? static_cast<uint32_t>(*stored) : kNoId;
}

void RowParser::Offsets(const char* name, std::vector<uint32_t>& offsets, uint32_t& count) {
  if (!Expect(name, SQLITE_BLOB)) return;
  const std::span<const uint8_t> bytes = statement_.Bytes(at_++);
  digest_.Blob(bytes);
  if (bytes.size() % 4 != 0 || bytes.size() / 4 > limits_.max_slots_per_type)
    return Wrong(name, "has an impossible size");
  offsets = UnpackOffsets(bytes);
  count = static_cast<uint32_t>(offsets.size());
}

}  // namespace cairn::snapshot
