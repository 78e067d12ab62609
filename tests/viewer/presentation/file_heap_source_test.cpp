#include "viewer/presentation/file_heap_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "snapshot-format/testing/snapshot_builder.h"

namespace cairn::presentation {
namespace {

using snapshot::Generation;
using snapshot::testing::SnapshotBuilder;
using ::testing::ElementsAre;

class FileHeapSourceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    path_ =
        (std::filesystem::temp_directory_path() / ("cairn-heap-source-" + std::to_string(getpid()) + name)).string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::unique_ptr<FileHeapSource> Open() { return FileHeapSource::Open(path_).value(); }
  // Two ranges: gen0 with a (24 bytes), a gap, b (24); gen2 with the array of 100 references, 16 + 8 + 800 = 824.
  void WriteTwoRanges() {
    SnapshotBuilder builder;
    const uint32_t node = builder.Class("Node", {"next"});
    const uint32_t array = builder.ReferenceArray("Node[]");
    builder.Range(Generation::kGen0, 0x10000);
    builder.Object("a", node, {"b"});
    builder.Gap(64);
    builder.Object("b", node);
    builder.Range(Generation::kGen2, 0x20000);
    builder.Array("c", array, 100, {"a"});
    ASSERT_TRUE(builder.Write(path_));
  }

  std::string path_;
};

std::vector<uint64_t> Visited(FileHeapSource& source, const ObjectFilter& filter) {
  std::vector<uint64_t> addresses;
  EXPECT_TRUE(source.VisitObjects(filter, [&](const HeapObject& object) {
    addresses.push_back(object.address);
    return true;
  }));
  return addresses;
}

TEST_F(FileHeapSourceTest, VisitsObjectsInAddressOrder) {
  WriteTwoRanges();
  const auto source = Open();
  std::vector<HeapObject> objects;
  ASSERT_TRUE(source->VisitObjects({}, [&](const HeapObject& object) {
    objects.push_back(object);
    return true;
  }));
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[0].address, 0x10000u);
  EXPECT_EQ(objects[1].address, 0x10058u);  // 0x10000 + 24 + 64
  EXPECT_EQ(objects[1].index, 1u);
  EXPECT_EQ(objects[2].bytes, 824u);
  EXPECT_EQ(objects[2].generation, Generation::kGen2);
}

TEST_F(FileHeapSourceTest, FiltersByTypeAndGeneration) {
  WriteTwoRanges();
  const auto source = Open();
  EXPECT_THAT(Visited(*source, {{true, false}, {}}), ElementsAre(0x10000, 0x10058));
  EXPECT_THAT(Visited(*source, {{}, Generation::kGen2}), ElementsAre(0x20000));
  EXPECT_THAT(Visited(*source, {{true, false}, Generation::kGen2}), ElementsAre());
}

TEST_F(FileHeapSourceTest, FindsByIndexAndAddress) {
  WriteTwoRanges();
  const auto source = Open();
  EXPECT_EQ(source->FindObject({ObjectName::Kind::kIndex, 2}).value().address, 0x20000u);
  EXPECT_EQ(source->FindObject({ObjectName::Kind::kAddress, 0x10058}).value().index, 1u);
}

TEST_F(FileHeapSourceTest, WhatIsNoStartOfAnObjectIsMissing) {
  WriteTwoRanges();
  const auto source = Open();
  const ObjectName wrong[] = {{ObjectName::Kind::kIndex, 3},
                              {ObjectName::Kind::kAddress, 0x10008},   // inside a
                              {ObjectName::Kind::kAddress, 0x10018},   // in the gap
                              {ObjectName::Kind::kAddress, 0x99999}};  // outside
  for (const ObjectName& name : wrong) EXPECT_EQ(source->FindObject(name).error().code, "object.missing");
}

TEST_F(FileHeapSourceTest, ManyChunksHaveOneNumbering) {
  SnapshotBuilder builder;
  const uint32_t node = builder.Class("Node");
  for (int i = 0; i < 70'000; ++i) builder.Object("", node);  // above 65,536: two chunks
  ASSERT_TRUE(builder.Write(path_));
  const auto source = Open();
  uint64_t next = 0;
  ASSERT_TRUE(source->VisitObjects({}, [&](const HeapObject& object) { return object.index == next++; }));
  EXPECT_EQ(next, 70'000u);
  const HeapObject last = source->FindObject({ObjectName::Kind::kIndex, 69'999}).value();
  EXPECT_EQ(source->FindObject({ObjectName::Kind::kAddress, last.address}).value().index, 69'999u);
}

TEST_F(FileHeapSourceTest, AMissingFileIsAnError) {
  EXPECT_EQ(FileHeapSource::Open(path_).error().code, "snapshot.missing");
}

}  // namespace
}  // namespace cairn::presentation
