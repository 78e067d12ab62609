#include "viewer/presentation/tables/objects_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/presentation/fake_heap.h"

namespace cairn::presentation {
namespace {

using snapshot::Generation;
using ::testing::ElementsAre;
using testing::FakeHeap;
using ::testing::IsEmpty;
using testing::RecordingSink;

// Addresses follow from the sizes: 0x1000, + 24 = 0x1018, + 48 = 0x1048, + 24 = 0x1060.
struct FourObjects {
  FourObjects() {
    const uint32_t a = heap.AddType("A"), b = heap.AddType("B");
    heap.AddObject(a, 24, Generation::kGen0);
    heap.AddObject(a, 48, Generation::kGen2);
    heap.AddObject(b, 24, Generation::kGen2);
    heap.AddObject(a, 48, Generation::kLoh);
  }
  ObjectsShown Stream(FileOrder order, std::optional<uint64_t> top = {}, ObjectFilter filter = {}) {
    return StreamObjects(heap, {std::move(filter), order, top}, sink);
  }
  FakeHeap heap;
  RecordingSink sink;
};

TEST(ObjectsTable, LargestFirstEqualOnesByAddress) {
  FourObjects four;
  const ObjectsShown shown = four.Stream(FileOrder::kBytes);
  EXPECT_THAT(four.sink.keys, ElementsAre("object", "address", "type", "bytes", "retained", "generation", "reachable"));
  EXPECT_THAT(four.sink.rows, ElementsAre("1|0x1018|A|48|null|gen2|null", "3|0x1060|A|48|null|loh|null",
                                          "0|0x1000|A|24|null|gen0|null", "2|0x1048|B|24|null|gen2|null"));
  EXPECT_EQ(shown.objects, 4u);
  EXPECT_EQ(shown.bytes, 144u);  // 24 + 48 + 24 + 48
  EXPECT_FALSE(shown.damage);
}

TEST(ObjectsTable, AddressOrderStreams) {
  FourObjects four;
  four.Stream(FileOrder::kAddress);
  EXPECT_THAT(four.sink.rows, ElementsAre("0|0x1000|A|24|null|gen0|null", "1|0x1018|A|48|null|gen2|null",
                                          "2|0x1048|B|24|null|gen2|null", "3|0x1060|A|48|null|loh|null"));
}

TEST(ObjectsTable, TopKeepsTheLargestAndCountsTheRest) {
  for (const FileOrder order : {FileOrder::kBytes, FileOrder::kAddress}) {
    FourObjects four;
    const ObjectsShown shown = four.Stream(order, 2);
    EXPECT_EQ(four.sink.rows.size(), 2u);
    EXPECT_EQ(four.sink.left_out, 2u);
    EXPECT_EQ(shown.objects, 4u);
    EXPECT_EQ(four.sink.rows[0].substr(0, 1), order == FileOrder::kBytes ? "1" : "0");
    EXPECT_EQ(four.sink.rows[1].substr(0, 1), order == FileOrder::kBytes ? "3" : "1");
  }
}

TEST(ObjectsTable, TopOfManyIsTheSameAsSortingAll) {
  FakeHeap heap;
  const uint32_t type = heap.AddType("T");
  uint64_t random = 1;
  for (int i = 0; i < 1000; ++i) {
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    heap.AddObject(type, 24 + 8 * (random >> 60));  // 16 sizes, so many are equal
  }
  RecordingSink all, some;
  StreamObjects(heap, {{}, FileOrder::kBytes, {}}, all);
  StreamObjects(heap, {{}, FileOrder::kBytes, 37}, some);
  all.rows.resize(37);
  EXPECT_EQ(some.rows, all.rows);
}

TEST(ObjectsTable, FiltersByTypeAndGeneration) {
  FourObjects four;
  four.Stream(FileOrder::kAddress, {}, {{true, false}, Generation::kGen2});
  EXPECT_THAT(four.sink.rows, ElementsAre("1|0x1018|A|48|null|gen2|null"));
}

TEST(ObjectsTable, DamageComesAfterWhatCouldBeRead) {
  for (const FileOrder order : {FileOrder::kBytes, FileOrder::kAddress}) {
    FourObjects four;
    four.heap.FailAfter(2, {ErrorKind::kDamaged, "snapshot.damaged", "chunk 3 of f.cairn", ""});
    const ObjectsShown shown = four.Stream(order);
    EXPECT_EQ(four.sink.rows.size(), 2u);
    ASSERT_TRUE(shown.damage);
    EXPECT_EQ(shown.damage->code, "snapshot.damaged");
  }
}

TEST(ObjectsTable, StopsReadingWhenNobodyReads) {
  FourObjects four;
  four.sink.stop_after = 1;
  four.Stream(FileOrder::kAddress);
  EXPECT_EQ(four.heap.Visited(), 1u);
}

TEST(ObjectsTable, NamedObjectsKeepTheirOrder) {
  FourObjects four;
  const auto objects = FindObjects(four.heap, {{ObjectName::Kind::kAddress, 0x1048}, {ObjectName::Kind::kIndex, 0}});
  ASSERT_TRUE(objects);
  EmitObjects(four.heap, *objects, four.sink);
  EXPECT_THAT(four.sink.rows, ElementsAre("2|0x1048|B|24|null|gen2|null", "0|0x1000|A|24|null|gen0|null"));
}

TEST(ObjectsTable, AMissingObjectIsAnError) {
  FourObjects four;
  EXPECT_EQ(FindObjects(four.heap, {{ObjectName::Kind::kIndex, 4}}).error().code, "object.missing");
}

}  // namespace
}  // namespace cairn::presentation
