#include "viewer/presentation/tables/types_table.h"

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

TypeRow Row(const std::string& name, std::optional<std::string> module, uint64_t objects, uint64_t bytes) {
  TypeRow row;
  row.name = name;
  row.module = std::move(module);
  row.objects = objects;
  row.bytes = bytes;
  return row;
}

TypesTable Made(HeapSource& heap, GroupBy group = GroupBy::kType, TypeOrder order = TypeOrder::kBytes,
                const std::string& pattern = "") {
  std::optional<TypePattern> parsed;
  if (!pattern.empty()) parsed = TypePattern::Parse(pattern).value();
  return TypesTable(SummaryRows(heap, group, parsed).value(), group, order);
}

// Shop.Order: 2 objects, 48 + 48 = 96 bytes. System.String: 1 + 1 of 100. Shop.Order[]: 1 of 64.
struct Shop {
  Shop() {
    const uint32_t shop = heap.AddModule("Shop.dll"), core = heap.AddModule("System.Private.CoreLib.dll");
    const uint32_t order = heap.AddType("Shop.Order", shop);
    const uint32_t text = heap.AddType("System.String", core);
    const uint32_t orders = heap.AddType("Shop.Order[]");
    heap.AddObject(order, 48, Generation::kGen0);
    heap.AddObject(order, 48, Generation::kGen2);
    heap.AddObject(text, 100, Generation::kGen0);
    heap.AddObject(text, 100, Generation::kFrozen);
    heap.AddObject(orders, 64, Generation::kLoh);
    heap.MutableSummary().ranges = {{.length = 148, .generation = Generation::kGen0, .objects = 2, .bytes = 148},
                                    {.length = 48, .generation = Generation::kGen2, .objects = 1, .bytes = 48},
                                    {.length = 64, .generation = Generation::kLoh, .objects = 1, .bytes = 64},
                                    {.length = 100, .generation = Generation::kFrozen, .objects = 1, .bytes = 100}};
  }
  FakeHeap heap;
};

TEST(TypesTable, LargestBytesFirst) {
  Shop shop;
  EXPECT_THAT(Made(shop.heap).Rows(),
              ElementsAre(Row("System.String", "System.Private.CoreLib.dll", 2, 200),
                          Row("Shop.Order", "Shop.dll", 2, 96), Row("Shop.Order[]", std::nullopt, 1, 64)));
}

TEST(TypesTable, EqualCountsGoByBytesThenName) {
  FakeHeap heap;
  heap.AddCounted("B", snapshot::kNoId, 1, 24);
  heap.AddCounted("A", snapshot::kNoId, 1, 24);
  heap.AddCounted("C", snapshot::kNoId, 1, 32);
  heap.AddCounted("D", snapshot::kNoId, 9, 8);
  const TypesTable table = Made(heap, GroupBy::kType, TypeOrder::kObjects);
  EXPECT_THAT(table.Rows(),
              ElementsAre(Row("D", {}, 9, 8), Row("C", {}, 1, 32), Row("A", {}, 1, 24), Row("B", {}, 1, 24)));
}

TEST(TypesTable, SumsOverEveryGroupingAreTheHeap) {
  Shop shop;
  for (const GroupBy group : {GroupBy::kType, GroupBy::kNamespace, GroupBy::kModule, GroupBy::kGeneration}) {
    EXPECT_EQ(Made(shop.heap, group).Objects(), 5u);
    EXPECT_EQ(Made(shop.heap, group).Bytes(), 360u);  // 96 + 200 + 64
  }
}

TEST(TypesTable, NamespacesJoinArraysWithTheirElements) {
  Shop shop;
  EXPECT_THAT(Made(shop.heap, GroupBy::kNamespace).Rows(),
              ElementsAre(Row("System", {}, 2, 200), Row("Shop", {}, 3, 160)));
}

TEST(TypesTable, ModulesNameWhatHasNone) {
  Shop shop;
  EXPECT_THAT(Made(shop.heap, GroupBy::kModule).Rows(),
              ElementsAre(Row("System.Private.CoreLib.dll", "System.Private.CoreLib.dll", 2, 200),
                          Row("Shop.dll", "Shop.dll", 2, 96), Row("(no module)", {}, 1, 64)));
}

TEST(TypesTable, GenerationsComeFromTheRanges) {
  Shop shop;
  EXPECT_THAT(
      Made(shop.heap, GroupBy::kGeneration).Rows(),
      ElementsAre(Row("gen0", {}, 2, 148), Row("frozen", {}, 1, 100), Row("loh", {}, 1, 64), Row("gen2", {}, 1, 48)));
  EXPECT_EQ(shop.heap.Visited(), 0u);
}

TEST(TypesTable, GenerationsOfAPatternAreCounted) {
  Shop shop;
  EXPECT_THAT(Made(shop.heap, GroupBy::kGeneration, TypeOrder::kBytes, "Shop.*").Rows(),
              ElementsAre(Row("loh", {}, 1, 64), Row("gen0", {}, 1, 48), Row("gen2", {}, 1, 48)));
}

TEST(TypesTable, GenerationsOfAPatternThatFitsNothingAreNone) {
  Shop shop;
  EXPECT_THAT(Made(shop.heap, GroupBy::kGeneration, TypeOrder::kBytes, "Nothing").Rows(), IsEmpty());
  FakeHeap empty;
  EXPECT_THAT(Made(empty, GroupBy::kGeneration, TypeOrder::kBytes, "Nothing").Rows(), IsEmpty());
}

TEST(TypesTable, OneNameInTwoModulesIsTwoRows) {
  FakeHeap heap;
  const uint32_t a = heap.AddModule("A.dll"), b = heap.AddModule("B.dll");
  heap.AddCounted("Same", a, 1, 24);
  heap.AddCounted("Same", b, 2, 48);
  heap.AddCounted("Same", b, 3, 72);  // the same type seen twice, as in two load contexts
  EXPECT_THAT(Made(heap).Rows(), ElementsAre(Row("Same", "B.dll", 5, 120), Row("Same", "A.dll", 1, 24)));
}

TEST(TypesTable, UnnamedTypesKeepTheirObjects) {
  FakeHeap heap;
  const uint32_t type = heap.AddCounted("", snapshot::kNoId, 7, 168);
  heap.MutableSummary().types[type].method_table = 0x7f00;
  EXPECT_THAT(Made(heap).Rows(), ElementsAre(Row("(unknown type 0x7f00)", {}, 7, 168)));
}

TEST(TypesTable, TypesWithoutObjectsAreNoRows) {
  FakeHeap heap;
  heap.AddType("Base");
  EXPECT_THAT(Made(heap).Rows(), IsEmpty());
}

TEST(TypesTable, CountsPass32Bits) {
  FakeHeap heap;
  heap.AddCounted("Big", snapshot::kNoId, 5'000'000'000, 200'000'000'000);
  heap.AddCounted("Big", snapshot::kNoId, 5'000'000'000, 200'000'000'000);
  EXPECT_THAT(Made(heap).Rows(), ElementsAre(Row("Big", {}, 10'000'000'000, 400'000'000'000)));
}

TEST(TypesTable, ReachabilityIsNullUntilItIsComputed) {
  FakeHeap heap;
  heap.AddCounted("A", snapshot::kNoId, 1, 24);
  RecordingSink sink;
  Emit(Made(heap), std::nullopt, sink);
  EXPECT_THAT(sink.keys, ElementsAre("type", "module", "objects", "bytes", "retained", "unreachable_objects",
                                     "unreachable_bytes"));
  EXPECT_THAT(sink.rows, ElementsAre("A|null|1|24|null|null|null"));
}

TEST(Emit, CutsAndSaysHowMuch) {
  Shop shop;
  RecordingSink sink;
  Emit(Made(shop.heap), 1, sink);
  EXPECT_EQ(sink.rows.size(), 1u);
  EXPECT_EQ(sink.left_out, 2u);
}

TEST(Emit, StopsWhenNobodyReads) {
  Shop shop;
  RecordingSink sink;
  sink.stop_after = 1;
  Emit(Made(shop.heap), std::nullopt, sink);
  EXPECT_EQ(sink.rows.size(), 1u);
}

}  // namespace
}  // namespace cairn::presentation
