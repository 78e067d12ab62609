#include "snapshot-format/file/fields_blob.h"

#include <gtest/gtest.h>

namespace cairn::snapshot {
namespace {

const std::vector<Field> kFields = {
    {"_map.Count", 16, FieldKind::kPrimitive, 0x08, "System.Int32"},
    {"", 0xFFFFFFFF, FieldKind::kOther, 0xFF, ""},
    {"next", 8, FieldKind::kReference, 0x12, "Node"},
};

std::string Unpack(const std::vector<uint8_t>& data, uint32_t count, std::vector<Field>& out, Limits limits = {}) {
  return UnpackFields(data, count, limits, out);
}

TEST(FieldsBlobTest, FieldsComeBack) {
  std::vector<Field> fields;
  ASSERT_EQ(Unpack(PackFields(kFields), 3, fields), "");
  for (size_t i = 0; i < kFields.size(); ++i) {
    EXPECT_EQ(fields[i].name, kFields[i].name);
    EXPECT_EQ(fields[i].offset, kFields[i].offset);
    EXPECT_EQ(fields[i].kind, kFields[i].kind);
    EXPECT_EQ(fields[i].element_type, kFields[i].element_type);
    EXPECT_EQ(fields[i].type, kFields[i].type);
  }
}

TEST(FieldsBlobTest, EveryCutAndEveryOtherCountIsRefused) {
  std::vector<uint8_t> data = PackFields(kFields);
  std::vector<Field> fields;
  EXPECT_EQ(Unpack(data, 2, fields), "bytes follow the last field");
  EXPECT_EQ(Unpack(data, 4, fields), "a field is cut");
  EXPECT_EQ(Unpack(data, 0xFFFFFFFF, fields), "there are more fields than fit");
  while (!data.empty()) {
    data.pop_back();
    EXPECT_NE(Unpack(data, 3, fields), "") << data.size();
  }
}

TEST(FieldsBlobTest, LimitsAndKindsAreChecked) {
  std::vector<Field> fields;
  std::vector<uint8_t> data = PackFields(kFields);
  EXPECT_EQ(Unpack(data, 3, fields, {.max_fields_per_type = 2}), "there are more fields than fit");
  EXPECT_EQ(Unpack(data, 3, fields, {.max_text_bytes = 9}), "a field's name is longer than any text may be");
  data[4 + 10 + 4] = 3;  // behind the length and the name of the first, and its offset
  EXPECT_EQ(Unpack(data, 3, fields), "a field is of no known kind");
}

TEST(FieldsBlobTest, ChecksumTellsTypesApart) {
  const std::vector<uint8_t> data = PackFields(kFields);
  EXPECT_EQ(FieldsChecksum(1, data), FieldsChecksum(1, data));
  EXPECT_NE(FieldsChecksum(1, data), FieldsChecksum(2, data));
}

}  // namespace
}  // namespace cairn::snapshot
