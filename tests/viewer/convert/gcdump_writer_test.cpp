// What the writer writes, read back by a decoder of this test's own where that matters, else by the reader, which has
// tests of its own.

#include "viewer/convert/gcdump_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "tests/viewer/convert/converted_sample.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/convert/gcdump_reader.h"

namespace cairn::convert {
namespace {

using snapshot::testing::ReadAll;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class GcDumpWriterTest : public ::testing::Test {
 protected:
  GcDumpWriterTest() : path_(sample_.folder.File("a.gcdump")) {
    auto file = OutputFile::Create(path_, false);
    auto converted = WriteGcDump(*sample_.session, **file, sample_.work);
    if (!converted || !(*file)->Finish()) throw std::runtime_error("not written");
    converted_ = *converted;
    auto dump = GcDump::Read(path_);
    if (!dump) throw std::runtime_error(dump.error().message);
    dump_.emplace(std::move(*dump));
    for (uint32_t i = 0; i < dump_->NodeCount(); ++i)
      if (dump_->AddressOf(i) == 0) ++roots_;
  }

  GcDumpNode Node(uint32_t number) const {
    GcDumpNode node;
    if (!dump_->ReadNode(number, node)) throw std::runtime_error("no such node");
    return node;
  }
  std::string TypeOf(uint32_t number) const { return dump_->Types()[Node(number).type].name; }
  // Names of the children of the root nodes, and `@INDEX` of objects.
  std::multimap<std::string, std::string> RootEdges() const {
    std::multimap<std::string, std::string> edges;
    for (uint32_t i = 0; i < roots_; ++i)
      for (const uint32_t child : Node(i).children)
        edges.emplace(TypeOf(i), child < roots_ ? TypeOf(child) : "@" + std::to_string(child - roots_));
    return edges;
  }

  testing::ConvertedSample sample_;
  std::string path_;
  Converted converted_;
  std::optional<GcDump> dump_;
  uint32_t roots_ = 0;
};

TEST_F(GcDumpWriterTest, EveryObjectWithTypeSizeAndAddress) {
  const auto graph = sample_.session->Graph(sample_.work);
  ASSERT_TRUE(graph);
  ASSERT_EQ(dump_->NodeCount() - roots_, (*graph)->ObjectCount());
  EXPECT_EQ(converted_.objects, 10u);
  for (uint32_t i = 0; i < (*graph)->ObjectCount(); ++i) {
    const analysis::ObjectIndex object(i);
    EXPECT_EQ(TypeOf(roots_ + i), (*graph)->TypeInfo(object).name);
    EXPECT_EQ(Node(roots_ + i).size, (*graph)->SizeOf(object)) << i;
    EXPECT_EQ(dump_->AddressOf(roots_ + i), (*graph)->AddressOf(object));
  }
  EXPECT_EQ(dump_->Types()[Node(roots_).type].module, "Shop.dll");
}

TEST_F(GcDumpWriterTest, EveryReference) {
  const auto graph = sample_.session->Graph(sample_.work);
  for (uint32_t i = 0; i < (*graph)->ObjectCount(); ++i) {
    std::vector<uint32_t> targets;
    for (const auto target : (*graph)->Targets(analysis::ObjectIndex(i))) targets.push_back(roots_ + target.value);
    EXPECT_EQ(Node(roots_ + i).children, targets) << i;
  }
}

TEST_F(GcDumpWriterTest, RootsAreNodesByKindAndName) {
  EXPECT_THAT(RootEdges(),
              UnorderedElementsAre(
                  std::pair("[.NET Roots]", "[static vars]"), std::pair("[.NET Roots]", "[thread static vars]"),
                  std::pair("[.NET Roots]", "[local vars]"), std::pair("[.NET Roots]", "[other roots]"),
                  std::pair("[static vars]", "[static var Shop.Cache.Instance]"),
                  std::pair("[static vars]", "[static var Shop.Plugin]"),
                  std::pair("[static var Shop.Cache.Instance]", "@0"), std::pair("[static var Shop.Plugin]", "@7"),
                  std::pair("[thread static vars]", "[thread static var Shop.Current]"),
                  std::pair("[thread static var Shop.Current]", "@3"),
                  std::pair("[local vars]", "[local var Shop.Main]"), std::pair("[local var Shop.Main]", "@4"),
                  std::pair("[other roots]", "[strong Handles]"), std::pair("[other roots]", "[pinning Handles]"),
                  std::pair("[other roots]", "[frozen objects]"), std::pair("[strong Handles]", "@0"),
                  std::pair("[pinning Handles]", "@1"), std::pair("[frozen objects]", "@9")));
}

TEST_F(GcDumpWriterTest, WhatItCannotHoldIsListed) {
  EXPECT_THAT(converted_.lost, ElementsAre("names of fields and numbers of array elements", "weak handles",
                                           "free bytes between objects", "which references are dependent handles",
                                           "which references lead to load contexts", "threads of locals"));
}

TEST(GcDumpWriter, ContentsAreLost) {
  snapshot::testing::TemporaryFolder folder;
  snapshot::testing::SnapshotBuilder builder;
  builder.Capture().strings = "all";
  builder.StringOf("", builder.String(), "secret");
  builder.ValueField(builder.Class("Shop.Order"), "_disposed", 1);
  ASSERT_TRUE(builder.Write(folder.File("a.cairn")));
  auto file = OutputFile::Create(folder.File("a.gcdump"), false);
  ASSERT_TRUE(file);
  analysis::Work work;
  const auto converted = WriteGcDump(*testing::OpenSession(folder.File("a.cairn")), **file, work);
  ASSERT_TRUE(converted);
  EXPECT_THAT(converted->lost,
              ElementsAre("names of fields and numbers of array elements", "texts of strings", "values of fields"));
}

TEST_F(GcDumpWriterTest, ProcessAndTime) {
  EXPECT_EQ(dump_->ProcessName(), "Shop");
  EXPECT_EQ(dump_->ProcessId(), 4242);
  EXPECT_EQ(dump_->ResidentBytes(), 1000u);
  EXPECT_EQ(dump_->Tool(), "cairn");
  // 2026-01-02T03:04:05Z is 1,767,323,045 s after 1970, and that 62,135,596,800 s after the year 1.
  EXPECT_EQ(dump_->TimeTicks(), (62'135'596'800 + 1'767'323'045) * 10'000'000);
  ASSERT_EQ(dump_->Segments().size(), 4u);
  EXPECT_EQ(dump_->Segments()[1].start, 0x20000u);
  EXPECT_THAT(dump_->Segments()[1].generation_end, ElementsAre(0x20020, 0x20000, 0x20000, 0x20000, 0x20000));
}

// By the description alone: the last label leads to the trailer, that to the table, whose one place follows the
// region of COM objects, which is tag 0C, 0, null.
TEST_F(GcDumpWriterTest, TheTableOfForwardReferencesIsFoundFromTheEnd) {
  const auto bytes = ReadAll(path_);
  const auto word = [&](size_t at) {
    uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  EXPECT_EQ(std::string(bytes.begin() + 4, bytes.begin() + 24), "!FastSerialization.1");
  const uint32_t trailer = word(bytes.size() - 4), table = word(trailer);
  EXPECT_EQ(trailer, bytes.size() - 8);
  EXPECT_EQ(word(table), 1u);
  const uint32_t region_end = word(table + 4);
  EXPECT_EQ(bytes[region_end - 6], 0x0C);
  EXPECT_EQ(word(region_end - 5), 0u);
  EXPECT_EQ(bytes[region_end - 1], 1);
  EXPECT_EQ(bytes[table - 1], 6);
  EXPECT_EQ(bytes[table - 2], 6);
}

}  // namespace
}  // namespace cairn::convert
