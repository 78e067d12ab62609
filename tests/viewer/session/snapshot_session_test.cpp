#include "viewer/session/snapshot_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <map>
#include <sstream>
#include <thread>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/must.h"
#include "tests/snapshot-format/temporary_folder.h"
#include "viewer/session/computed.h"
#include "viewer/session/dominance.h"

namespace cairn::session {
namespace {

using analysis::Work;
using snapshot::Generation;
using snapshot::RootKind;
using snapshot::testing::Must;
using snapshot::testing::SnapshotBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

//   static Shop.Cache.Instance → cache(32) → entries[3](24 + 3 × 16 = 72) → Key: text1, Value: order1
//                                                                        → Key: text2, Value: order2
//   local                      → order2(40)._customer → customer(24)
//   handle-weak                → lost(24)                  frozen(32)
//
// System.String is 22 + 2 × length, rounded up to 8. Shop.Order has two references and 4 bytes of data:
// 8 (header) + 8 (MethodTable) + 16 + 8 = 40.
class Session : public ::testing::Test {
 protected:
  void SetUp() override {
    SnapshotBuilder builder;
    const uint32_t cache = builder.Class("Shop.Cache", {"_entries", "_spare"});                          // 0
    const uint32_t entries = builder.StructArray("Shop.Cache+Entry[]", 16, {{"Key", 0}, {"Value", 8}});  // 1
    const uint32_t order = builder.Class("Shop.Order", {"_customer", "_note"}, 4);                       // 2
    const uint32_t customer = builder.Class("Shop.People.Customer");                                     // 3
    const uint32_t text = builder.String();                                                              // 4
    builder.TypeAt(order).module = builder.Module("Shop.dll");
    builder.Object("cache", cache, {"entries", nullptr});
    builder.Array("entries", entries, 3, {"text1", "order1", nullptr, nullptr, "text2", "order2"});
    builder.Array("text1", text, 1);  // 22 + 2 = 24
    builder.Gap(48);
    builder.Array("text2", text, 4);  // 22 + 8 = 30 → 32
    builder.Object("order1", order);
    builder.Object("order2", order, {"customer"});
    builder.Object("customer", customer);
    builder.Range(Generation::kGen0);
    builder.Object("lost", customer);
    builder.Range(Generation::kFrozen);
    builder.Array("frozen", text, 5);  // 22 + 10 = 32
    builder.Root(RootKind::kStatic, "cache", "Shop.Cache.Instance");
    builder.Root(RootKind::kLocal, "order2");
    builder.Root(RootKind::kHandleWeak, "lost");
    Must(builder.Write(path_));
    session_ = Must(SnapshotSession::Open(path_));
  }

  snapshot::testing::TemporaryFolder folder_;
  const std::string path_ = folder_.File("session.cairn");
  std::unique_ptr<SnapshotSession> session_;
  Work work_;
};

enum : uint32_t { kCache, kEntries, kText1, kText2, kOrder1, kOrder2, kCustomer, kLost, kFrozen };

TEST_F(Session, ReachableAndUnreachableSumToTheSnapshot) {
  EXPECT_EQ(Must(session_->Reachable(work_)), (ObjectTotals{8, 296}));  // 32 + 72 + 24 + 32 + 40 + 40 + 24 + 32
  EXPECT_EQ(Must(session_->Reachable(TypeIndex(3), work_)), (ObjectTotals{1, 24}));
  for (const Grouping grouping : {Grouping::kType, Grouping::kNamespace, Grouping::kModule, Grouping::kGeneration}) {
    ObjectTotals all;
    for (const GroupRow& row : Must(session_->Groups(grouping, work_))) {
      all += row.reachable;
      all += row.unreachable;
    }
    EXPECT_EQ(all, (ObjectTotals{9, 320}));  // 296 + 24
    EXPECT_EQ(all.objects, session_->GetSummary().totals.objects);
    EXPECT_EQ(all.bytes, session_->GetSummary().totals.bytes);
  }
}

TEST_F(Session, GroupsRetainEachByteOnce) {
  const auto row = [&](Grouping grouping, const std::string& name) {
    for (const GroupRow& row : Must(session_->Groups(grouping, work_)))
      if (row.name == name) return row;
    return GroupRow{};
  };
  // cache, entries, texts, order1; order2 with its customer
  EXPECT_EQ(row(Grouping::kNamespace, "Shop").retained, 264u);  // 32 + 72 + 24 + 32 + 40 + 40 + 24
  EXPECT_EQ(row(Grouping::kNamespace, "Shop.People").retained, 24u);
  EXPECT_EQ(row(Grouping::kNamespace, "Shop.People").unreachable, (ObjectTotals{1, 24}));
  EXPECT_EQ(row(Grouping::kModule, "Shop.dll").retained, 104u);  // 40 + 40 + 24
  EXPECT_EQ(row(Grouping::kGeneration, "gen2").retained, 264u);
  EXPECT_EQ(row(Grouping::kGeneration, "gen0").unreachable, (ObjectTotals{1, 24}));
  EXPECT_EQ(row(Grouping::kGeneration, "frozen").retained, 32u);
  EXPECT_THAT(Must(session_->RetainedOfTypes(work_)), ElementsAre(200, 168, 104, 24, 88));
  // cache 32 + entries 72 + texts 56 + order1 40 = 200; entries 168; orders 40 + 64; customer; texts 24 + 32 + 32
}

TEST_F(Session, ObjectTellsWhatItIs) {
  const ObjectInfo order = Must(session_->Object(ObjectIndex(kOrder1), work_));
  EXPECT_EQ(order.bytes, 40u);
  EXPECT_EQ(order.retained, 40u);
  EXPECT_EQ(order.dominator.value, kEntries);
  EXPECT_EQ(order.generation, Generation::kGen2);
  EXPECT_TRUE(order.reachable);
  EXPECT_EQ(Must(session_->AtAddress(order.address, work_)).value, kOrder1);
  const ObjectInfo shared = Must(session_->Object(ObjectIndex(kOrder2), work_));
  EXPECT_FALSE(shared.dominator.Valid());  // a local holds it too
  EXPECT_EQ(shared.retained, 64u);         // 40 + 24
  EXPECT_FALSE(Must(session_->Object(ObjectIndex(kLost), work_)).reachable);
  EXPECT_EQ(session_->Object(ObjectIndex(9), work_).error().code, "object.missing");
  EXPECT_EQ(session_->AtAddress(order.address + 8, work_).error().code, "object.missing");
}

TEST_F(Session, FieldsShowNullsValuesAndElements) {
  const ObjectFields order = Must(session_->Fields(ObjectIndex(kOrder2), 100, work_));
  std::vector<std::pair<std::string, bool>> fields;
  for (const FieldInfo& field : order.fields) fields.emplace_back(field.name, field.target.Valid());
  EXPECT_THAT(fields, ElementsAre(std::pair("_customer", true), std::pair("_note", false), std::pair("data", false)));
  EXPECT_EQ(order.fields[0].target.value, kCustomer);

  const ObjectFields entries = Must(session_->Fields(ObjectIndex(kEntries), 5, work_));
  EXPECT_EQ(entries.length, 3u);
  ASSERT_EQ(entries.fields.size(), 5u);
  EXPECT_EQ(entries.omitted, 1u);
  EXPECT_EQ(entries.fields[1].name, "[0].Value");
  EXPECT_EQ(entries.fields[4].name, "[2].Key");
  EXPECT_EQ(entries.fields[4].target.value, kText2);
}

TEST_F(Session, ReferrersAreNamed) {
  const ObjectReferrers found = Must(session_->Referrers(ObjectIndex(kOrder2), 10, work_));
  ASSERT_EQ(found.total, 1u);
  EXPECT_EQ(found.referrers[0].object.value, kEntries);
  EXPECT_EQ(found.referrers[0].field, "[2].Value");
}

TEST_F(Session, PathOfAnObjectIsShortestAndOthersFollow) {
  PathRequest request;
  request.object = ObjectIndex(kOrder2);
  request.with_retained = true;
  const RootPaths found = Must(session_->Paths(request, work_));
  ASSERT_EQ(found.paths.size(), 2u);
  EXPECT_EQ(found.paths[0].root.kind, RootKind::kLocal);
  ASSERT_EQ(found.paths[0].steps.size(), 1u);
  EXPECT_EQ(found.paths[0].steps[0].retained, 64u);
  EXPECT_EQ(found.paths[1].root.kind, RootKind::kStatic);
  std::vector<std::string> fields;
  for (const PathStep& step : found.paths[1].steps) fields.push_back(step.field);
  EXPECT_THAT(fields, ElementsAre("Shop.Cache.Instance", "_entries", "[2].Value"));
}

TEST_F(Session, PathsOfATypeAreMergedAndCounted) {
  PathRequest request;
  request.types = {false, false, false, true, true};  // customers and strings
  const RootPaths found = Must(session_->Paths(request, work_));
  EXPECT_EQ(found.objects, 4u);
  EXPECT_EQ(found.unreachable, 1u);
  ASSERT_EQ(found.total, 3u);
  EXPECT_EQ(found.paths[0].count, 2u);  // both Keys
  EXPECT_EQ(found.paths[0].bytes, 56u);
  EXPECT_EQ(found.paths[0].steps.back().field, "[0].Key");
  // the customer by order2 and the frozen string follow, one each, nearest first
  EXPECT_EQ(found.paths[1].root.kind, RootKind::kFrozen);
  EXPECT_EQ(found.paths[2].root.kind, RootKind::kLocal);
  request.limit = 1;
  const RootPaths first = Must(session_->Paths(request, work_));
  EXPECT_EQ(first.paths.size(), 1u);
  EXPECT_EQ(first.total, 3u);
}

TEST_F(Session, UnreachableObjectHasNoPath) {
  PathRequest request;
  request.object = ObjectIndex(kLost);
  const RootPaths found = Must(session_->Paths(request, work_));
  EXPECT_THAT(found.paths, IsEmpty());
  EXPECT_EQ(found.unreachable, 1u);
}

TEST_F(Session, LongPathsLeaveOutTheirMiddleAndSaySo) {
  PathRequest request;
  request.object = ObjectIndex(kText1);
  request.max_steps = 2;
  const RootPath path = Must(session_->Paths(request, work_)).paths.at(0);
  ASSERT_EQ(path.steps.size(), 2u);
  EXPECT_EQ(path.omitted, 1u);
  EXPECT_EQ(path.omitted_after, 1u);
  EXPECT_EQ(path.steps[0].object.value, kCache);
  EXPECT_EQ(path.steps[1].object.value, kText1);
  EXPECT_EQ(path.steps[1].field, "[0].Key");
}

TEST_F(Session, DominatorChildrenComeByRetainedSize) {
  const DominatedObjects top = Must(session_->DominatorChildren(ObjectIndex(), 2, work_));
  EXPECT_EQ(top.total, 3u);  // cache, order2, frozen
  ASSERT_EQ(top.children.size(), 2u);
  EXPECT_EQ(top.children[0].object.value, kCache);
  EXPECT_EQ(top.children[0].retained, 200u);
  EXPECT_EQ(top.children[0].dominated, 4u);
  EXPECT_EQ(top.children[1].object.value, kOrder2);
  const DominatedObjects inner = Must(session_->DominatorChildren(ObjectIndex(kEntries), 10, work_));
  std::vector<uint32_t> objects;
  for (const DominatedRow& row : inner.children) objects.push_back(row.object.value);
  EXPECT_THAT(objects, ElementsAre(kOrder1, kText2, kText1));  // 40, 32, 24
  EXPECT_EQ(Must(session_->DominatorChildren(ObjectIndex(kLost), 10, work_)).total, 0u);
}

TEST_F(Session, RootsByKindInTheContractsOrder) {
  const auto rows = Must(session_->RootsByKind(work_));
  std::vector<std::pair<RootKind, uint64_t>> kinds;
  for (const RootKindRow& row : rows) kinds.emplace_back(row.kind, row.roots);
  EXPECT_THAT(kinds, ElementsAre(std::pair(RootKind::kStatic, 1u), std::pair(RootKind::kLocal, 1u),
                                 std::pair(RootKind::kFrozen, 1u), std::pair(RootKind::kHandleWeak, 1u)));
  EXPECT_EQ(rows[0].targets, (ObjectTotals{1, 32}));
  EXPECT_EQ(Must(session_->Roots(RootKind::kStatic, work_)).at(0).Name(), "Shop.Cache.Instance");
  EXPECT_EQ(Must(session_->Roots(std::nullopt, work_)).size(), 4u);
}

TEST_F(Session, ObjectsAreSortedFilteredAndCutWithTheirTotal) {
  ObjectRequest request;
  request.types = {false, false, true, false, true};
  request.limit = 3;
  const ObjectList list = Must(session_->Objects(request, work_));
  EXPECT_EQ(list.total, (ObjectTotals{5, 168}));  // 24 + 32 + 40 + 40 + 32
  std::vector<uint32_t> objects;
  for (const ObjectInfo& info : list.objects) objects.push_back(info.object.value);
  EXPECT_THAT(objects, ElementsAre(kOrder2, kOrder1, kText2));  // 64, 40, 32 (before the frozen one)
  request = {};
  request.unreachable = true;
  EXPECT_EQ(Must(session_->Objects(request, work_)).total, (ObjectTotals{1, 24}));
  request = {};
  request.generation = Generation::kFrozen;
  EXPECT_EQ(Must(session_->Objects(request, work_)).objects.at(0).object.value, kFrozen);
}

TEST_F(Session, ManyThreadsShareOneComputation) {
  std::vector<std::jthread> threads;
  std::atomic<const void*> seen{nullptr};
  std::atomic<int> different{0};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      Work work;
      const void* dominance = Must(session_->Dominators(work));
      const void* none = nullptr;
      if (!seen.compare_exchange_strong(none, dominance) && none != dominance) ++different;
    });
  threads.clear();
  EXPECT_EQ(different, 0);
}

TEST_F(Session, CancelledWorkLeavesTheSessionUsable) {
  Work cancelled;
  cancelled.Cancel();
  EXPECT_EQ(session_->Reachable(cancelled).error().code, "cancelled");
  EXPECT_EQ(Must(session_->Reachable(work_)).objects, 8u);
}

TEST(SnapshotSession, MissingFileIsToldByTheReader) {
  const auto session = SnapshotSession::Open("/nowhere/at-all.cairn");
  ASSERT_FALSE(session.has_value());
  EXPECT_EQ(session.error().code, "snapshot.missing");
}

TEST(Computed, WaiterTakesOverWhenTheFirstIsCancelled) {
  Computed<int> value;
  std::atomic<bool> started{false};
  Work first, second;
  std::jthread canceller([&] {
    const auto got = value.Get(first, [&]() -> Result<int> {
      started = true;
      while (!first.Cancelled()) std::this_thread::yield();
      return analysis::WasCancelled();
    });
    EXPECT_EQ(got.error().code, "cancelled");
  });
  while (!started) std::this_thread::yield();
  std::jthread waiter([&] {
    const auto got = value.Get(second, [] { return Result<int>(42); });
    EXPECT_EQ(**got, 42);
  });
  first.Cancel();
  canceller.join();
  waiter.join();
  EXPECT_EQ(*value.Peek(), 42);
}

TEST(Computed, AfterAnExceptionTheNextOneStartsAgain) {
  Computed<int> value;
  Work work;
  const auto thrown = value.Get(work, []() -> Result<int> { return std::vector<int>().at(7); });
  ASSERT_FALSE(thrown);
  EXPECT_EQ(thrown.error().code, "analysis.failed");
  EXPECT_EQ(**value.Get(work, [] { return Result<int>(42); }), 42);
}

TEST(Computed, WaiterThatIsCancelledLeaves) {
  Computed<int> value;
  std::atomic<bool> started{false}, finish{false};
  Work first, second;
  std::jthread computing([&] {
    EXPECT_TRUE(value.Get(first, [&]() -> Result<int> {
      started = true;
      while (!finish) std::this_thread::yield();
      return 1;
    }));
  });
  while (!started) std::this_thread::yield();
  second.Cancel();
  EXPECT_EQ(value.Get(second, [] { return Result<int>(2); }).error().code, "cancelled");
  finish = true;
}

// Values by name; "-" where none is kept.
std::map<std::string, std::string> ValuesOf(const ObjectFields& fields) {
  std::map<std::string, std::string> values;
  for (const FieldInfo& field : fields.fields) {
    std::ostringstream text;
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
            text << "-";
          } else {
            text << std::boolalpha << value;
          }
        },
        field.value);
    values[field.name] = text.str();
  }
  return values;
}

TEST(FieldValues, AreThoseThatTheSnapshotKeeps) {
  SnapshotBuilder builder;
  const uint32_t mixed = builder.Class("Mixed", {"_name"});
  builder.ValueField(mixed, "_small", 1, 0x04).ValueField(mixed, "_byte", 1, 0x05).ValueField(mixed, "_flag", 1, 0x02);
  builder.ValueField(mixed, "_int", 4, 0x08).ValueField(mixed, "_uint", 4, 0x09);
  builder.ValueField(mixed, "_ulong", 8, 0x0B).ValueField(mixed, "_real", 8, 0x0D).ValueField(mixed, "_code", 8, 0x18);
  // Kept as two halves.
  builder.ValueField(mixed, "_wide", 4, 0x0A).ValueField(mixed, "_high", 4, 0x08);
  builder.FieldsAt(mixed).push_back({"_unkept", 100, snapshot::FieldKind::kPrimitive, 0x08, "System.Int32"});
  const uint32_t text = builder.String();
  builder.Capture().strings = "all";
  const auto object = builder.Object("mixed", mixed, {"name"});
  builder.StringOf("name", text, "leak");
  const double real = -2.25;
  builder.Value(object, "_small", -1).Value(object, "_byte", -56).Value(object, "_flag", 1);  // 200 as a signed byte
  builder.Value(object, "_int", -70000).Value(object, "_uint", -294967296);                   // 4,000,000,000 − 2³²
  builder.Value(object, "_ulong", -1).Value(object, "_real", std::bit_cast<int64_t>(real));
  builder.Value(object, "_code", 0x7F00).Method(0x7F00, "Shop.Prices.OnChanged");
  builder.Value(object, "_wide", 5).Value(object, "_high", 1);  // 2³² + 5
  const snapshot::testing::TemporaryFolder folder;
  ASSERT_TRUE(builder.Write(folder.File("values.cairn")));
  auto session = Must(SnapshotSession::Open(folder.File("values.cairn")));
  Work work;
  auto values = ValuesOf(Must(session->Fields(ObjectIndex(0), 100, work)));
  EXPECT_EQ(values["_small"], "-1");
  EXPECT_EQ(values["_byte"], "200");
  EXPECT_EQ(values["_flag"], "true");
  EXPECT_EQ(values["_int"], "-70000");
  EXPECT_EQ(values["_uint"], "4000000000");
  EXPECT_EQ(values["_ulong"], "18446744073709551615");
  EXPECT_EQ(values["_real"], "-2.25");
  EXPECT_EQ(values["_code"], "0x7f00 Shop.Prices.OnChanged");
  EXPECT_EQ(values["_wide"], "4294967301");
  EXPECT_EQ(values["_unkept"], "-");
  EXPECT_EQ(values["_name"], "leak");
  EXPECT_EQ(ValuesOf(Must(session->Fields(ObjectIndex(1), 100, work)))["(text)"], "leak");
}

}  // namespace
}  // namespace cairn::session
