#include "snapshot-format/file/fields_blob.h"

#include "snapshot-format/file/row_archive.h"
#include "snapshot-format/file/rows.h"
#include "snapshot-format/stream/checksum.h"
#include "snapshot-format/stream/records.h"

namespace cairn::snapshot {

template <class Archive>
void Fields(Archive& a, Field& f) {
  a(f.name), a(f.offset), a(f.kind), a(f.element_type), a(f.type);
}

namespace {

std::string CheckField(const Field& field, const Limits& limits) {
  if (static_cast<unsigned>(field.kind) >= kFieldKinds) return "a field is of no known kind";
  if (field.name.size() > limits.max_text_bytes || field.type.size() > limits.max_text_bytes) {
    return "a field's name is longer than any text may be";
  }
  return {};
}

}  // namespace

std::vector<uint8_t> PackFields(std::span<const Field> fields) {
  stream::RecordWriter writer;
  for (const Field& field : fields) {
    Field kept = field;
    kept.name = WithinLimit(field.name);
    kept.type = WithinLimit(field.type);
    writer(kept);
  }
  return writer.Take();
}

std::string UnpackFields(std::span<const uint8_t> data, uint32_t count, const Limits& limits, std::vector<Field>& out) {
  if (count > limits.max_fields_per_type || count > data.size()) return "there are more fields than fit";
  stream::RecordReader reader(data);
  out.assign(count, {});
  for (Field& field : out) {
    reader(field);
    if (!reader.Ok()) return "a field is cut";
    if (std::string wrong = CheckField(field, limits); !wrong.empty()) return wrong;
  }
  return reader.Complete() ? std::string() : "bytes follow the last field";
}

uint32_t FieldsChecksum(uint32_t type, std::span<const uint8_t> data) {
  uint8_t place[4];
  for (unsigned i = 0; i < 4; ++i) place[i] = static_cast<uint8_t>(type >> (8 * i));
  return stream::Crc32c(stream::Crc32c(0, place, sizeof place), data.data(), data.size());
}

}  // namespace cairn::snapshot
