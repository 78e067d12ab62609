#include "viewer/presentation/tables/diff_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/presentation/fake_heap.h"

namespace cairn::presentation {
namespace {

using ::testing::ElementsAre;
using testing::FakeHeap;
using ::testing::IsEmpty;
using testing::RecordingSink;
using ::testing::SizeIs;

constexpr uint32_t kNone = snapshot::kNoId;

DiffTable Diff(const std::vector<const FakeHeap*>& heaps, bool all = false) {
  std::vector<std::vector<TypeRow>> rows;
  for (const FakeHeap* heap : heaps) rows.push_back(SummaryTypeRows(heap->Summary()));
  return DiffTable(rows, all);
}

std::vector<std::string> Types(const DiffTable& table) {
  std::vector<std::string> types;
  for (const DiffRow& row : table.Rows()) types.push_back(row.type);
  return types;
}

// Grown +76 bytes, New +24, Gone -48, Moved 0 bytes but +1 object, Same 0.
struct TwoHeaps {
  TwoHeaps() {
    base.AddCounted("Same", kNone, 3, 72);
    base.AddCounted("Gone", kNone, 2, 48);
    base.AddCounted("Grown", kNone, 1, 24);
    base.AddCounted("Moved", kNone, 1, 48);
    head.AddCounted("New", kNone, 1, 24);
    head.AddCounted("Grown", kNone, 4, 100);
    head.AddCounted("Moved", kNone, 2, 48);
    head.AddCounted("Same", kNone, 3, 72);
  }
  FakeHeap base, head;
};

TEST(DiffTable, ChangedTypesByGrowth) {
  TwoHeaps heaps;
  EXPECT_THAT(Types(Diff({&heaps.base, &heaps.head})), ElementsAre("Grown", "New", "Moved", "Gone"));
}

TEST(DiffTable, AllAddsTheUnchanged) {
  TwoHeaps heaps;
  EXPECT_THAT(Types(Diff({&heaps.base, &heaps.head}, true)), ElementsAre("Grown", "New", "Moved", "Same", "Gone"));
}

TEST(DiffTable, RowsHoldBothSides) {
  TwoHeaps heaps;
  const DiffTable table = Diff({&heaps.base, &heaps.head});
  EXPECT_EQ(table.Rows()[0], (DiffRow{"Grown", {}, {1, 4}, {24, 100}, {{}, {}}}));
  EXPECT_EQ(table.Rows()[1], (DiffRow{"New", {}, {0, 1}, {0, 24}, {{}, {}}}));
  EXPECT_EQ(table.Rows()[3], (DiffRow{"Gone", {}, {2, 0}, {48, 0}, {{}, {}}}));
}

TEST(DiffTable, SeriesBecomeColumns) {
  TwoHeaps heaps;
  RecordingSink sink;
  Emit(Diff({&heaps.base, &heaps.head}), 1, sink);
  EXPECT_THAT(sink.keys, ElementsAre("type", "module", "objects", "objects", "bytes", "bytes", "retained", "retained",
                                     "new", "survived", "dead", "uncertain", "", "", ""));
  EXPECT_THAT(sink.rows, ElementsAre("Grown|null|1|4|24|100|null|null|null|null|null|null|76|3|null"));
}

TEST(DiffTable, ThreeSnapshotsGrowFromFirstToLast) {
  FakeHeap a, b, c;
  a.AddCounted("Back", kNone, 1, 24);
  b.AddCounted("Back", kNone, 9, 216);
  c.AddCounted("Back", kNone, 1, 24);
  a.AddCounted("Up", kNone, 1, 24);
  b.AddCounted("Up", kNone, 2, 48);
  c.AddCounted("Up", kNone, 3, 72);
  const DiffTable table = Diff({&a, &b, &c});
  EXPECT_THAT(Types(table), ElementsAre("Up", "Back"));  // Back changed on the way
  EXPECT_EQ(table.Rows()[1].ByteGrowth(), 0);
  EXPECT_THAT(table.Rows()[0].objects, ElementsAre(1, 2, 3));
}

// Typical growth per snapshot: Steady 24 (0, 24, 48, 72), Jump 14.7 (88 / 6), though it grew more in all.
TEST(DiffTable, WhatGrowsAllTheTimeComesFirst) {
  FakeHeap a, b, c, d;
  FakeHeap* const heaps[] = {&a, &b, &c, &d};
  for (uint64_t i = 0; i < 4; ++i) {
    heaps[i]->AddCounted("Steady", kNone, i, 24 * i);
    heaps[i]->AddCounted("Jump", kNone, 1, i == 0 ? 24 : 112);
  }
  const DiffTable table = Diff({&a, &b, &c, &d});
  EXPECT_THAT(Types(table), ElementsAre("Steady", "Jump"));
  RecordingSink sink;
  Emit(table, 1, sink);
  EXPECT_EQ(sink.keys.size(), 2u + 3 * 4 + 4 + 3 + 1);  // series, identity, growth, trend
  EXPECT_THAT(sink.rows[0], ::testing::EndsWith("|72|3|null|▁▃▆█"));
}

// 5 before and 5 after, of which 2 are the same and 1 may be: 2 died, 2 are new, though nothing grew.
TEST(DiffTable, FollowedObjects) {
  const std::vector<std::vector<TypeRow>> snapshots = {{{"Same", std::nullopt, 5, 120, {}, {}, {}}},
                                                       {{"Same", std::nullopt, 5, 120, {}, {}, {}}}};
  const session::IdentityByType identity = {{{"Same", std::nullopt}, {2, 1}}};
  const DiffTable table(snapshots, false, DiffOrder::kBytes, "Type", &identity);
  RecordingSink sink;
  Emit(table, std::nullopt, sink);
  EXPECT_THAT(sink.rows, ElementsAre("Same|null|5|5|120|120|null|null|2|2|2|1|0|0|null"));
}

TEST(DiffTable, OneNameInTwoModulesIsTwoTypes) {
  FakeHeap base, head;
  const uint32_t a = base.AddModule("A.dll");
  head.AddModule("Other.dll");  // module numbers differ between files, names count
  const uint32_t b = head.AddModule("B.dll"), a_again = head.AddModule("A.dll");
  base.AddCounted("Same", a, 1, 24);
  head.AddCounted("Same", b, 1, 24);
  head.AddCounted("Same", a_again, 1, 24);
  EXPECT_THAT(Diff({&base, &head}).Rows(), ElementsAre(DiffRow{"Same", "B.dll", {0, 1}, {0, 24}, {{}, {}}}));
}

TEST(DiffTable, GrowthPasses32Bits) {
  FakeHeap base, head;
  base.AddCounted("Big", kNone, 1, 6'000'000'000);
  head.AddCounted("Big", kNone, 1, 1'000'000'000);
  EXPECT_EQ(Diff({&base, &head}).Rows()[0].ByteGrowth(), -5'000'000'000);
}

TypeRow Computed(const std::string& name, uint64_t objects, uint64_t bytes, uint64_t retained) {
  TypeRow row;
  row.name = name;
  row.objects = objects;
  row.bytes = bytes;
  row.retained = retained;
  return row;
}

TEST(DiffTable, RetainedGrowthAloneIsAChange) {
  const std::vector<TypeRow> rows[] = {{Computed("Cache", 1, 32, 1000), Computed("Same", 1, 24, 24)},
                                       {Computed("Cache", 1, 32, 5000), Computed("Same", 1, 24, 24)}};
  const DiffTable table(rows, false);
  ASSERT_THAT(Types(table), ElementsAre("Cache"));
  EXPECT_EQ(table.Rows()[0].RetainedGrowth(), 4000);
}

TEST(DiffTable, ATypeThatIsAbsentRetainsNothing) {
  const std::vector<TypeRow> rows[] = {{Computed("Other", 1, 24, 24)},
                                       {Computed("New", 2, 48, 300), Computed("Other", 1, 24, 24)}};
  const DiffTable table(rows, false);
  ASSERT_THAT(Types(table), ElementsAre("New"));
  EXPECT_EQ(table.Rows()[0], (DiffRow{"New", {}, {0, 2}, {0, 48}, {0, 300}}));
}

TEST(DiffTable, OrderIsByWhatWasAskedFor) {
  const std::vector<TypeRow> rows[] = {{Computed("A", 1, 24, 24), Computed("B", 1, 24, 24), Computed("C", 1, 24, 24)},
                                       {Computed("A", 2, 99, 99), Computed("B", 1, 25, 999), Computed("C", 9, 26, 26)}};
  EXPECT_THAT(Types(DiffTable(rows, false, DiffOrder::kBytes)), ElementsAre("A", "C", "B"));
  EXPECT_THAT(Types(DiffTable(rows, false, DiffOrder::kRetained)), ElementsAre("B", "A", "C"));
  EXPECT_THAT(Types(DiffTable(rows, false, DiffOrder::kObjects)), ElementsAre("C", "A", "B"));
}

TEST(DiffTable, ASnapshotDoesNotDifferFromItself) {
  TwoHeaps heaps;
  EXPECT_THAT(Diff({&heaps.base, &heaps.base}).Rows(), IsEmpty());
  EXPECT_THAT(Diff({&heaps.base, &heaps.base}, true).Rows(), SizeIs(4));
}

}  // namespace
}  // namespace cairn::presentation
