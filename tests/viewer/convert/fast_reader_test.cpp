#include "viewer/convert/fast_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/snapshot-format/temporary_folder.h"
#include "viewer/convert/fast_writer.h"
#include "viewer/convert/gcdump_format.h"
#include "viewer/convert/utf8.h"

namespace cairn::convert {
namespace {

using snapshot::testing::ReadAll;
using snapshot::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<uint8_t> Compressed(int32_t value) {
  std::vector<uint8_t> bytes;
  gcdump::PutCompressed(value, [&](uint8_t byte) { bytes.push_back(byte); });
  return bytes;
}

TEST(Compressed, SevenBitsAByteTheHighOnesFirst) {
  EXPECT_THAT(Compressed(0), ElementsAre(0x00));
  EXPECT_THAT(Compressed(-1), ElementsAre(0x7F));
  EXPECT_THAT(Compressed(63), ElementsAre(0x3F));
  EXPECT_THAT(Compressed(64), ElementsAre(0x80, 0x40));
  EXPECT_THAT(Compressed(-64), ElementsAre(0x40));
  EXPECT_THAT(Compressed(-65), ElementsAre(0xFF, 0x3F));
  EXPECT_EQ(Compressed((1 << 13) - 1).size(), 2u);
  EXPECT_EQ(Compressed(1 << 13).size(), 3u);
  EXPECT_EQ(Compressed((1 << 27) - 1).size(), 4u);
  EXPECT_THAT(Compressed(INT32_MAX), ElementsAre(0x87, 0xFF, 0xFF, 0xFF, 0x7F));
  EXPECT_THAT(Compressed(INT32_MIN), ElementsAre(0xF8, 0x80, 0x80, 0x80, 0x00));
}

class Written : public ::testing::Test {
 protected:
  template <class Write>
  std::vector<uint8_t> Bytes(Write write) {
    auto file = OutputFile::Create(folder_.File("a"), true);
    if (!file) throw std::runtime_error(file.error().message);
    FastWriter writer(**file);
    write(writer);
    if (!(*file)->Finish()) throw std::runtime_error("not written");
    return ReadAll(folder_.File("a"));
  }

  TemporaryFolder folder_;
};

// "é" is one unit of two bytes; U+1F600 two units (D83D, DE00) of three bytes each.
TEST_F(Written, TextsAreUnitsOfUtf16) {
  const auto bytes = Bytes([](FastWriter& writer) {
    writer.Text("a\xC3\xA9\xF0\x9F\x98\x80\xFF");
    writer.NullText();
  });
  EXPECT_THAT(bytes, ElementsAre(5, 0, 0, 0, 'a', 0xC3, 0xA9, 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, 0xEF, 0xBF, 0xBD,
                                 0xFF, 0xFF, 0xFF, 0xFF));
  FastReader reader(bytes);
  EXPECT_EQ(reader.Text(), "a\xC3\xA9\xF0\x9F\x98\x80\xEF\xBF\xBD");  // what was no UTF-8 is U+FFFD
  EXPECT_EQ(reader.Text(), "");
  EXPECT_FALSE(reader.Failed());
}

TEST_F(Written, TypesAreNamedOnce) {
  const auto bytes = Bytes([](FastWriter& writer) {
    for (int i = 0; i < 2; ++i) writer.Begin("T", 3, 1), writer.End();
  });
  // 04; the type: 04 01, 3, 1, "T", 06; 06. Then 04 02 and the place of the type, 1; 06.
  EXPECT_THAT(bytes, ElementsAre(4, 4, 1, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 'T', 6, 6, 4, 2, 1, 0, 0, 0, 6));
  FastReader reader(bytes);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(reader.Begin(), "T");
    EXPECT_EQ(reader.Version(), 3);
    EXPECT_EQ(reader.LeastReader(), 1);
    reader.SkipToEnd();
  }
  EXPECT_FALSE(reader.Failed());
  EXPECT_EQ(reader.Place(), bytes.size());
}

TEST(FastReader, TellsTheFirstThingThatIsWrong) {
  const std::vector<uint8_t> bytes = {1, 2, 3};
  FastReader reader(bytes);
  EXPECT_EQ(reader.Int32(), 0);
  EXPECT_EQ(reader.Byte(), 0);  // nothing more is read
  ASSERT_TRUE(reader.Failed());
  EXPECT_THAT(*reader.Failed(), HasSubstr("the file ends within a number"));
}

TEST(FastReader, CountsAreBoundByTheFile) {
  const std::vector<uint8_t> bytes = {4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(FastReader(bytes).Count(2, "things"), 4u);
  FastReader large(bytes);
  EXPECT_EQ(large.Count(3, "things"), 0u);  // 12 bytes do not follow
  EXPECT_TRUE(large.Failed());
}

TEST(Utf8, ReplacesWhatIsNone) {
  EXPECT_EQ(ValidUtf8("a\x80z"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(ValidUtf8("\xED\xA0\xBD"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate
  EXPECT_EQ(ValidUtf8("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // too long for what it says
  EXPECT_EQ(ValidUtf8("\xF0\x9F\x98"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // cut
  EXPECT_EQ(ValidUtf8("\xE2\x82\xAC"), "\xE2\x82\xAC");
}

}  // namespace
}  // namespace cairn::convert
