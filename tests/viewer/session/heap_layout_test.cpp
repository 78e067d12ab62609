#include "viewer/session/heap_layout.h"

#include <gtest/gtest.h>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::session {
namespace {

using snapshot::Generation;
using snapshot::RootKind;
using snapshot::testing::SnapshotBuilder;

class Heap : public ::testing::Test {
 protected:
  HeapLayout Describe(SnapshotBuilder& builder) {
    if (const auto written = builder.Write(folder_.File("heap.cairn")); !written)
      throw std::runtime_error(written.error().message);
    auto session = SnapshotSession::Open(folder_.File("heap.cairn"));
    if (!session) throw std::runtime_error(session.error().message);
    analysis::Work work;
    auto layout = DescribeHeap(**session, work);
    if (!layout) throw std::runtime_error(layout.error().message);
    return *layout;
  }

  snapshot::testing::TemporaryFolder folder_;
};

TEST_F(Heap, GapsAreWhatLiesBetweenObjects) {
  SnapshotBuilder builder;
  const uint32_t node = builder.Class("Node"), bytes = builder.StructArray("System.Byte[]", 1);
  builder.Gap(64);  // at the start of the range
  builder.Object("a", node);
  builder.Gap(320);
  builder.Array("b", bytes, 5);  // 24 + 5 → 32
  builder.Gap(24);
  builder.Gap(40);  // two Free objects, one gap of 64
  builder.Object("c", node);
  builder.Gap(8192);  // at the end
  builder.Range(Generation::kLoh);
  builder.Array("d", bytes, 100'000);
  const HeapLayout layout = Describe(builder);
  ASSERT_EQ(layout.ranges.size(), 2u);
  EXPECT_EQ(layout.ranges[0].gaps, 4u);
  EXPECT_EQ(layout.ranges[0].largest_gap, 8192u);
  EXPECT_EQ(layout.ranges[1].gaps, 0u);
  ASSERT_EQ(layout.gaps.size(), 6u);
  EXPECT_EQ(layout.gaps[0].at_least, 0u);
  EXPECT_EQ(layout.gaps[0].gaps, 2u);
  EXPECT_EQ(layout.gaps[0].bytes, 128u);  // 64 + (24 + 40)
  EXPECT_EQ(layout.gaps[1].at_least, 256u);
  EXPECT_EQ(layout.gaps[1].bytes, 320u);
  EXPECT_EQ(layout.gaps[2].gaps, 1u);
  EXPECT_EQ(layout.gaps[2].bytes, 8192u);
}

TEST_F(Heap, FreeBytesAreTheSumOfTheGaps) {
  SnapshotBuilder builder;
  const uint32_t node = builder.Class("Node");
  for (uint64_t i = 1; i < 200; ++i) builder.Object("", node), builder.Gap(i * 24);
  const HeapLayout layout = Describe(builder);
  uint64_t bytes = 0;
  for (const GapClass& gaps : layout.gaps) bytes += gaps.bytes;
  EXPECT_EQ(bytes, 24u * 199 * 200 / 2);
  EXPECT_EQ(layout.ranges[0].gaps, 199u);
}

TEST_F(Heap, PinnedObjectsCountOnce) {
  SnapshotBuilder builder;
  const uint32_t node = builder.Class("Node");
  builder.Object("a", node);
  builder.Object("b", node);
  builder.Object("c", node);
  builder.Range(Generation::kPoh);
  builder.Object("d", node);
  builder.Root(RootKind::kHandlePinned, "a");
  builder.Root(RootKind::kHandlePinned, "a");
  builder.Root(RootKind::kHandleStrong, "c");
  builder.Root(RootKind::kHandlePinned, "d");
  snapshot::Root fixed;  // a local in a fixed statement
  fixed.kind = RootKind::kLocal;
  fixed.pinning = true;
  builder.AddRoot(fixed, "b");
  const HeapLayout layout = Describe(builder);
  EXPECT_EQ(layout.ranges[0].pinned_objects, 2u);
  EXPECT_EQ(layout.ranges[1].pinned_objects, 1u);
}

}  // namespace
}  // namespace cairn::session
