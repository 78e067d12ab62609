#include "viewer/convert/gcdump_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/convert/known_dump.h"

namespace cairn::convert {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::KnownDump;

TEST(GcDumpReader, ReadsADumpByteByByte) {
  const auto dump = GcDump::Parse(KnownDump());
  ASSERT_TRUE(dump) << dump.error().message;
  EXPECT_EQ(dump->NodeCount(), 5u);
  EXPECT_EQ(dump->Root(), 0u);
  ASSERT_EQ(dump->Types().size(), 5u);
  EXPECT_EQ(dump->Types()[0].name, "UNDEFINED");
  EXPECT_EQ(dump->Types()[3].name, "MyApp.Node");
  EXPECT_EQ(dump->Types()[3].size, 24);
  EXPECT_EQ(dump->Types()[3].module, "MyApp.dll");
  EXPECT_TRUE(dump->Is64Bit());
  EXPECT_FALSE(dump->IsSampled());
  EXPECT_EQ(dump->Tool(), "mytool");
  EXPECT_EQ(dump->AddressOf(0), 0u);
  EXPECT_EQ(dump->AddressOf(2), 0x7f0000001000u);
  EXPECT_EQ(dump->AddressOf(4), 0x7f0000001030u);
}

// Root → locals → node → node → the first node, and the text.
TEST(GcDumpReader, ReadsNodes) {
  const auto dump = GcDump::Parse(KnownDump());
  ASSERT_TRUE(dump);
  GcDumpNode node;
  ASSERT_TRUE(dump->ReadNode(0, node));
  EXPECT_EQ(node.type, 1u);
  EXPECT_THAT(node.children, ElementsAre(1));
  ASSERT_TRUE(dump->ReadNode(3, node));
  EXPECT_EQ(node.type, 3u);
  EXPECT_EQ(node.size, 24u);
  EXPECT_THAT(node.children, ElementsAre(2, 4));
  ASSERT_TRUE(dump->ReadNode(4, node));
  EXPECT_EQ(node.size, 22u);
  EXPECT_THAT(node.children, IsEmpty());
}

TEST(GcDumpReader, TellsOtherFiles) {
  for (const std::vector<uint8_t>& bytes :
       {std::vector<uint8_t>{}, std::vector<uint8_t>{'M', 'Z', 0, 0}, std::vector<uint8_t>(100, 0)}) {
    const auto dump = GcDump::Parse(bytes);
    ASSERT_FALSE(dump);
    EXPECT_EQ(dump.error().code, "import.not_gcdump");
  }
  EXPECT_EQ(GcDump::Read("/nowhere.gcdump").error().code, "import.missing");
}

TEST(GcDumpReader, TellsVersionsItDoesNotKnow) {
  auto bytes = KnownDump();
  bytes[27] = 8;  // 4 + 20 + tags 04 04 01, then the version
  EXPECT_EQ(GcDump::Parse(bytes).error().code, "import.unsupported");
  bytes[27] = 3;
  EXPECT_EQ(GcDump::Parse(bytes).error().code, "import.unsupported");
}

}  // namespace
}  // namespace cairn::convert
