// Cut and changed dumps: told, or read and imported as far as they make sense; never a crash.

#include <gtest/gtest.h>

#include <algorithm>

#include "snapshot-format/file/verifier.h"
#include "tests/snapshot-format/temporary_folder.h"
#include "tests/viewer/convert/known_dump.h"
#include "viewer/convert/gcdump_import.h"

namespace cairn::convert {
namespace {

using snapshot::testing::TemporaryFolder;
using testing::KnownDump;

// What is read becomes a snapshot that says the truth about itself.
void ExpectToldOrImported(const std::vector<uint8_t>& bytes, const TemporaryFolder& folder) {
  const auto dump = GcDump::Parse(bytes);
  if (!dump) {
    EXPECT_TRUE(dump.error().code.starts_with("import."));
    return;
  }
  const std::string path = folder.File("a.cairn");
  const auto converted = ImportGcDump(*dump, path, {true, std::string(32, '0'), "2026-01-02T03:04:05Z", "0"});
  if (!converted) {
    EXPECT_EQ(converted.error().code, "import.damaged");
    return;
  }
  auto reader = snapshot::SnapshotReader::Open(path);
  ASSERT_TRUE(reader) << reader.error().message;
  const auto report = snapshot::Verify(**reader);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->errors.empty()) << report->errors.front();
}

TEST(HostileDump, CutAnywhere) {
  const auto whole = KnownDump();
  // What follows the multipliers by type is optional: 433 - 20 bytes of table and labels, 15 of COM and tool.
  for (size_t length = 0; length < whole.size() - 35; ++length) {
    const auto dump = GcDump::Parse({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
    EXPECT_FALSE(dump) << length;
  }
}

TEST(HostileDump, AnyByteChanged) {
  TemporaryFolder folder;
  const auto whole = KnownDump();
  for (size_t at = 0; at < whole.size(); ++at)
    for (const int change : {0x01, 0x80, 0xFF}) {
      auto bytes = whole;
      bytes[at] = static_cast<uint8_t>(bytes[at] ^ change);
      ExpectToldOrImported(bytes, folder);
    }
}

TEST(HostileDump, CountsThatTheFileCannotHold) {
  const auto whole = KnownDump();
  // Types, nodes, bytes of nodes, addresses: counts of 5, 5, 17, 5.
  for (const uint8_t count : {0x7F, 0xFF}) {
    for (size_t at = 90; at + 4 < whole.size(); ++at) {
      if (whole[at] != 5 || whole[at + 1] || whole[at + 2] || whole[at + 3]) continue;
      auto bytes = whole;
      bytes[at + 3] = count;
      EXPECT_FALSE(GcDump::Parse(bytes)) << at;
    }
  }
}

TEST(HostileDump, ObjectsWithoutAPlaceOfTheirOwn) {
  TemporaryFolder folder;
  auto bytes = KnownDump();
  const std::vector<uint8_t> second = {0x18, 0x10, 0, 0, 0, 0x7F, 0, 0};
  const auto at = std::search(bytes.begin(), bytes.end(), second.begin(), second.end());
  ASSERT_NE(at, bytes.end());
  *at = 0x00;  // both nodes at 0x7f0000001000
  const auto dump = GcDump::Parse(bytes);
  ASSERT_TRUE(dump);
  const auto converted =
      ImportGcDump(*dump, folder.File("a.cairn"), {false, std::string(32, '0'), "2026-01-02T03:04:05Z", "0"});
  ASSERT_TRUE(converted) << converted.error().message;
  EXPECT_EQ(converted->objects, 3u);
  ASSERT_EQ(converted->lost.size(), 1u);
  EXPECT_EQ(converted->lost[0], "identities of objects without an address: 1");
}

TEST(HostileDump, WhatWasNeverDescribedMakesItIncomplete) {
  TemporaryFolder folder;
  auto bytes = KnownDump();
  const std::vector<uint8_t> place_of_text = {0x0F, 0, 0, 0};
  const auto at = std::search(bytes.begin() + 200, bytes.end(), place_of_text.begin(), place_of_text.end());
  ASSERT_NE(at, bytes.end());
  *at = 0;  // the undefined node
  const auto dump = GcDump::Parse(bytes);
  ASSERT_TRUE(dump);
  const auto converted =
      ImportGcDump(*dump, folder.File("a.cairn"), {false, std::string(32, '0'), "2026-01-02T03:04:05Z", "0"});
  ASSERT_TRUE(converted);
  EXPECT_EQ(converted->objects, 2u);
  EXPECT_EQ(converted->lost[0], "references to what is no object: 1");
  const auto reader = snapshot::SnapshotReader::Open(folder.File("a.cairn"));
  ASSERT_TRUE(reader);
  EXPECT_FALSE((*reader)->Summary().complete);
}

TEST(HostileDump, SamplesAreIncomplete) {
  TemporaryFolder folder;
  auto bytes = KnownDump();
  const std::vector<uint8_t> multipliers = {0, 0, 0x80, 0x3F, 0, 0, 0x80, 0x3F};
  const auto at = std::search(bytes.begin(), bytes.end(), multipliers.begin(), multipliers.end());
  ASSERT_NE(at, bytes.end());
  *(at + 3) = 0x40;  // 4 instead of 1
  const auto dump = GcDump::Parse(bytes);
  ASSERT_TRUE(dump);
  EXPECT_TRUE(dump->IsSampled());
  ASSERT_TRUE(ImportGcDump(*dump, folder.File("a.cairn"), {false, std::string(32, '0'), "2026-01-02T03:04:05Z", "0"}));
  const auto reader = snapshot::SnapshotReader::Open(folder.File("a.cairn"));
  ASSERT_TRUE(reader);
  EXPECT_FALSE((*reader)->Summary().complete);
  EXPECT_EQ((*reader)->Summary().problems[1].code, "import.sampled");
}

}  // namespace
}  // namespace cairn::convert
