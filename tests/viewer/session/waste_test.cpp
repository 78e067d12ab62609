#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/temporary_folder.h"
#include "viewer/session/waste_answer.h"

namespace cairn::session {
namespace {

using analysis::dotnet::CollectionWaste;
using analysis::dotnet::Duplicate;
using snapshot::RootKind;
using snapshot::testing::ObjectHandle;
using snapshot::testing::SnapshotBuilder;
using snapshot::testing::Target;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Everything that is added hangs on one array, so that it is reachable.
class WasteTest : public ::testing::Test {
 protected:
  void Keep(Target object) { kept_.push_back(std::move(object)); }

  WasteAnswer Find(uint64_t with_holders = 10) {
    const uint32_t all = builder_.ReferenceArray("Kept[]");
    builder_.Root(RootKind::kStatic, builder_.Array("", all, kept_.size(), kept_), "All");
    if (const auto written = builder_.Write(folder_.File("a.cairn")); !written)
      throw std::runtime_error(written.error().message);
    auto session = SnapshotSession::Open(folder_.File("a.cairn"));
    if (!session) throw std::runtime_error(session.error().message);
    session_ = std::move(*session);
    auto answer = FindWaste(*session_, with_holders, work_);
    if (!answer) throw std::runtime_error(answer.error().message);
    return *answer;
  }
  std::string TypeOf(analysis::TypeIndex type) const { return session_->GetSummary().types[type.value].name; }

  // System.Collections.Generic.List<Shop.Order> with so many of `room` used.
  void AddList(uint64_t room, int64_t used) {
    if (list_ == snapshot::kNoId) {
      list_ = builder_.Class("System.Collections.Generic.List<Shop.Order>", {"_items"});
      builder_.ValueField(list_, "_size").ValueField(list_, "_version");
      orders_ = builder_.ReferenceArray("Shop.Order[]");
    }
    const ObjectHandle items = builder_.Array("", orders_, room);
    const ObjectHandle list = builder_.Object("", list_, {items});
    builder_.Value(list, "_size", used);
    Keep(list);
  }

  snapshot::testing::TemporaryFolder folder_;
  SnapshotBuilder builder_;
  std::vector<Target> kept_;
  std::unique_ptr<SnapshotSession> session_;
  analysis::Work work_;
  uint32_t list_ = snapshot::kNoId, orders_ = snapshot::kNoId;
};

// "abcd" is 22 + 8 → 32 bytes, "xy" 22 + 4 → 32.
TEST_F(WasteTest, EqualStrings) {
  builder_.Capture().strings = "all";
  const uint32_t text = builder_.String();
  for (int i = 0; i < 4; ++i) Keep(builder_.StringOf("", text, "abcd"));
  for (int i = 0; i < 2; ++i) Keep(builder_.StringOf("", text, "xy"));
  Keep(builder_.StringOf("", text, "once"));
  builder_.StringOf("", text, "xy");  // garbage
  const WasteAnswer answer = Find();
  EXPECT_TRUE(answer.waste.has_hashes);
  ASSERT_THAT(answer.waste.duplicates, SizeIs(2));
  const Duplicate& most = answer.waste.duplicates[0];
  EXPECT_TRUE(most.is_string);
  EXPECT_EQ(most.copies, 4u);
  EXPECT_EQ(most.bytes_each, 32u);
  EXPECT_EQ(most.Wasted(), 96u);
  EXPECT_TRUE(most.has_text);
  EXPECT_EQ(most.text, "abcd");
  EXPECT_EQ(answer.waste.duplicates[1].copies, 2u);
  EXPECT_THAT(answer.holders[0], ElementsAre("elements of Kept[]"));
}

TEST_F(WasteTest, EqualArraysOfTwoTypesAreTwoContents) {
  builder_.Capture().strings = "hash";
  const uint32_t bytes = builder_.StructArray("System.Byte[]", 1), chars = builder_.StructArray("System.Char[]", 2);
  for (int i = 0; i < 3; ++i) {
    const ObjectHandle array = builder_.Array("", bytes, 16);
    builder_.Hash(array, 77);
    Keep(array);
  }
  const ObjectHandle other = builder_.Array("", chars, 8), unhashed = builder_.Array("", bytes, 16);
  builder_.Hash(other, 77).Hash(unhashed, 0);
  Keep(other);
  Keep(unhashed);
  const WasteAnswer answer = Find();
  ASSERT_THAT(answer.waste.duplicates, SizeIs(1));
  EXPECT_EQ(TypeOf(answer.waste.duplicates[0].type), "System.Byte[]");
  EXPECT_FALSE(answer.waste.duplicates[0].is_string);
  EXPECT_EQ(answer.waste.duplicates[0].copies, 3u);
  EXPECT_EQ(answer.waste.duplicates[0].Wasted(), 2u * 40);  // 24 + 16 each
  EXPECT_FALSE(answer.waste.duplicates[0].has_text);
}

TEST_F(WasteTest, HoldersAreTheFieldsOfMostCopies) {
  builder_.Capture().strings = "hash";
  const uint32_t text = builder_.String();
  const uint32_t order = builder_.Class("Shop.Order", {"_number", "Currency"});
  for (int i = 0; i < 3; ++i) Keep(builder_.Object("", order, {nullptr, builder_.StringOf("", text, "EUR")}));
  builder_.StringOf("named", text, "EUR");
  builder_.Root(RootKind::kStatic, "named", "Shop.Default");
  const WasteAnswer answer = Find();
  ASSERT_THAT(answer.waste.duplicates, SizeIs(1));
  EXPECT_THAT(answer.holders[0], ElementsAre("Shop.Order.Currency", "static Shop.Default"));
  EXPECT_THAT(Find(0).holders, IsEmpty());
}

TEST_F(WasteTest, WithoutHashesNothingIsKnownOfContents) {
  const uint32_t text = builder_.String();
  for (int i = 0; i < 2; ++i) Keep(builder_.Array("", text, 4));
  const WasteAnswer answer = Find();
  EXPECT_FALSE(answer.waste.has_hashes);
  EXPECT_FALSE(answer.waste.has_counts);
  EXPECT_THAT(answer.waste.duplicates, IsEmpty());
}

// Room for 16 + 100 + 8, used 4 + 0 + 8; 8 bytes each.
TEST_F(WasteTest, ListsWithMoreRoomThanElements) {
  AddList(16, 4);
  AddList(100, 0);
  AddList(8, 8);
  const WasteAnswer answer = Find();
  EXPECT_TRUE(answer.waste.has_counts);
  ASSERT_THAT(answer.waste.collections, SizeIs(1));  // their arrays are not told again as sparse
  const CollectionWaste& row = answer.waste.collections[0];
  EXPECT_EQ(TypeOf(row.type), "System.Collections.Generic.List<Shop.Order>");
  EXPECT_EQ(row.objects, 3u);
  EXPECT_EQ(row.empty, 1u);
  EXPECT_EQ(row.capacity, 124u);
  EXPECT_EQ(row.used, 12u);
  EXPECT_EQ(row.wasted, 112u * 8);
}

TEST_F(WasteTest, AListThatWasJustChangingIsLeftOut) {
  AddList(4, 5);
  EXPECT_THAT(Find().waste.collections, IsEmpty());
}

// Room for 10, count 8 of which 3 were removed: 5 of 24 bytes are not used.
TEST_F(WasteTest, DictionariesCountWhatWasRemoved) {
  const uint32_t type =
      builder_.Class("System.Collections.Generic.Dictionary<System.Int32, System.String>", {"_buckets", "_entries"});
  builder_.ValueField(type, "_count").ValueField(type, "_freeList").ValueField(type, "_freeCount");
  const uint32_t entries = builder_.StructArray(
      "System.Collections.Generic.Dictionary<System.Int32, System.String>+Entry[]", 24, {{"value", 8}});
  const ObjectHandle array = builder_.Array("", entries, 10);
  const ObjectHandle dictionary = builder_.Object("", type, {nullptr, array});
  builder_.Value(dictionary, "_count", 8).Value(dictionary, "_freeList", -1).Value(dictionary, "_freeCount", 3);
  Keep(dictionary);
  const WasteAnswer answer = Find();
  ASSERT_THAT(answer.waste.collections, SizeIs(1));
  EXPECT_EQ(answer.waste.collections[0].used, 5u);
  EXPECT_EQ(answer.waste.collections[0].wasted, 5u * 24);
}

// char[16] is 24 + 32 bytes: its length does not follow from them, and is read again.
TEST_F(WasteTest, StringBuilders) {
  const uint32_t type = builder_.Class("System.Text.StringBuilder", {"m_ChunkChars", "m_ChunkPrevious"});
  builder_.ValueField(type, "m_ChunkLength");
  const ObjectHandle chars = builder_.Array("", builder_.StructArray("System.Char[]", 2), 15);
  const ObjectHandle text = builder_.Object("", type, {chars});
  builder_.Value(text, "m_ChunkLength", 5);
  Keep(text);
  const WasteAnswer answer = Find();
  ASSERT_THAT(answer.waste.collections, SizeIs(1));
  EXPECT_EQ(answer.waste.collections[0].capacity, 15u);
  EXPECT_EQ(answer.waste.collections[0].wasted, 10u * 2);
}

TEST_F(WasteTest, DerivedCollectionsAndCollectionsWithoutAnArray) {
  AddList(4, 4);
  const uint32_t derived = builder_.Class("Shop.Orders", {"_items"});
  builder_.TypeAt(derived).base = "System.Collections.Generic.List<Shop.Order>";
  builder_.TypeAt(derived).base_type = list_;
  builder_.ValueField(derived, "_size");
  Keep(builder_.Object("", derived, {nullptr}));
  const WasteAnswer answer = Find();
  ASSERT_THAT(answer.waste.collections, SizeIs(1));
  EXPECT_EQ(TypeOf(answer.waste.collections[0].type), "Shop.Orders");
  EXPECT_EQ(answer.waste.collections[0].empty, 1u);
  EXPECT_EQ(answer.waste.collections[0].wasted, 0u);
}

// Buckets for 16; two nodes in one list and one in another: 13 references are not used.
TEST_F(WasteTest, ConcurrentDictionariesAreCounted) {
  const std::string name = "System.Collections.Concurrent.ConcurrentDictionary<System.String, Shop.Order>";
  const uint32_t type = builder_.Class(name, {"_tables", "_comparer"});
  const uint32_t tables = builder_.Class(name + "+Tables", {"_buckets", "_locks"});
  const uint32_t buckets = builder_.StructArray(name + "+VolatileNode[]", 8, {{"_node", 0}});
  const uint32_t node = builder_.Class(name + "+Node", {"_key", "_value", "_next"});
  const ObjectHandle last = builder_.Object("", node), first = builder_.Object("", node, {nullptr, nullptr, last});
  const ObjectHandle alone = builder_.Object("", node);
  const ObjectHandle array = builder_.Array("", buckets, 16, {nullptr, first, nullptr, alone});
  Keep(builder_.Object("", type, {builder_.Object("", tables, {array})}));
  const WasteAnswer answer = Find();
  ASSERT_THAT(answer.waste.collections, SizeIs(1));
  EXPECT_EQ(TypeOf(answer.waste.collections[0].type), name);
  EXPECT_EQ(answer.waste.collections[0].used, 3u);
  EXPECT_EQ(answer.waste.collections[0].capacity, 16u);
  EXPECT_EQ(answer.waste.collections[0].wasted, 13u * 8);
}

// Half of it or less, and at least 32 nulls.
TEST_F(WasteTest, SparseArrays) {
  const uint32_t type = builder_.ReferenceArray("Shop.Slot[]"), order = builder_.Class("Shop.Order");
  const ObjectHandle target = builder_.Object("", order);
  const auto array = [&](uint64_t length, uint64_t used) {
    const ObjectHandle handle = builder_.Array("", type, length);
    for (uint64_t i = 0; i < used; ++i) builder_.Refer(handle, i, target);
    Keep(handle);
  };
  array(1000, 10);
  array(64, 32);
  array(64, 33);  // more than half
  array(31, 0);   // few
  const WasteAnswer answer = Find();
  ASSERT_THAT(answer.waste.collections, SizeIs(1));
  const CollectionWaste& row = answer.waste.collections[0];
  EXPECT_TRUE(row.is_sparse_array);
  EXPECT_EQ(row.objects, 2u);
  EXPECT_EQ(row.wasted, (990u + 32) * 8);
}

TEST_F(WasteTest, DisposedAndStillHeld) {
  const uint32_t type = builder_.Class("Shop.Connection", {"_stream"});
  builder_.ValueField(type, "_disposed", 1, 0x02, "System.Boolean");
  for (int i = 0; i < 3; ++i) {
    const ObjectHandle connection = builder_.Object("", type);
    builder_.Value(connection, "_disposed", i == 0 ? 0 : 1);
    Keep(connection);
  }
  const ObjectHandle garbage = builder_.Object("", type);
  builder_.Value(garbage, "_disposed", 1);
  const WasteAnswer answer = Find();
  ASSERT_THAT(answer.waste.disposed, SizeIs(1));
  EXPECT_EQ(TypeOf(answer.waste.disposed[0].type), "Shop.Connection");
  EXPECT_EQ(answer.waste.disposed[0].totals.objects, 2u);
}

TEST_F(WasteTest, BoxedValues) {
  const uint32_t boxed = builder_.Class("System.Int32", {}, 8);
  builder_.TypeAt(boxed).kind = snapshot::TypeKind::kBoxedStruct;
  for (int i = 0; i < 3; ++i) Keep(builder_.Object("", boxed));
  builder_.Object("", boxed);  // garbage
  const WasteAnswer answer = Find();
  ASSERT_THAT(answer.waste.boxed, SizeIs(1));
  EXPECT_EQ(answer.waste.boxed[0].totals.objects, 3u);
  EXPECT_EQ(answer.waste.boxed[0].totals.bytes, 3u * 24);
}

}  // namespace
}  // namespace cairn::session
