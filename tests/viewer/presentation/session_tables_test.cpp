// What a session computes, as rows, fields and words.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/presentation/fake_heap.h"
#include "tests/viewer/presentation/session_sample.h"
#include "viewer/presentation/documents/object_document.h"
#include "viewer/presentation/documents/path_document.h"
#include "viewer/presentation/root_words.h"
#include "viewer/presentation/tables/dominators_table.h"
#include "viewer/presentation/tables/objects_table.h"
#include "viewer/presentation/tables/roots_table.h"
#include "viewer/presentation/tables/types_table.h"

namespace cairn::presentation {
namespace {

using analysis::ObjectIndex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::RecordingSink;
using testing::SessionSample;

class SessionTables : public ::testing::Test {
 protected:
  std::vector<std::string> Types(GroupBy group, const std::string& pattern = "") {
    std::optional<TypePattern> parsed;
    if (!pattern.empty()) parsed = TypePattern::Parse(pattern).value();
    const TypesTable table(SessionRows(*sample_.session, group, parsed, sample_.work).value(), group,
                           TypeOrder::kRetained);
    RecordingSink sink;
    Emit(table, std::nullopt, sink);
    return sink.rows;
  }

  session::RootPaths PathsOf(uint32_t object, uint64_t limit) {
    session::PathRequest request;
    request.object = ObjectIndex(object);
    request.limit = limit;
    request.with_retained = true;
    return sample_.session->Paths(request, sample_.work).value();
  }

  SessionSample sample_;
  const snapshot::Summary& summary_ = sample_.session->GetSummary();
};

// type|module|objects|bytes|retained|unreachable_objects|unreachable_bytes
TEST_F(SessionTables, TypesHoldReachableRetainedAndUnreachable) {
  EXPECT_THAT(Types(GroupBy::kType),
              ElementsAre("Shop.Cache|null|1|24|144|0|0",      // 24 + 88 + order1 32
                          "Shop.Order[]|null|1|88|120|0|0",    // 88 + order1 32
                          "Shop.Order|Shop.dll|2|64|64|1|32",  // both orders; the customer is held by two
                          "Shop.Customer|null|2|48|48|0|0"));  // customer and the literal
}

TEST_F(SessionTables, EveryGroupingCountsEveryObjectOnce) {
  for (const GroupBy group : {GroupBy::kType, GroupBy::kNamespace, GroupBy::kModule, GroupBy::kGeneration}) {
    const TypesTable table(SessionRows(*sample_.session, group, {}, sample_.work).value(), group, TypeOrder::kBytes);
    EXPECT_EQ(table.Objects() + table.UnreachableObjects(), summary_.totals.objects);
    EXPECT_EQ(table.Bytes() + table.UnreachableBytes(), summary_.totals.bytes);
  }
}

TEST_F(SessionTables, GroupsRetainTogetherEachByteOnce) {
  EXPECT_THAT(Types(GroupBy::kNamespace), ElementsAre("Shop|null|6|224|224|1|32"));
  EXPECT_THAT(Types(GroupBy::kGeneration),
              ElementsAre("gen2|null|5|200|200|0|0", "frozen|null|1|24|24|0|0", "gen0|null|0|0|0|1|32"));
}

TEST_F(SessionTables, APatternLimitsWhatAGroupHolds) {
  EXPECT_THAT(Types(GroupBy::kNamespace, "Shop.Order"), ElementsAre("Shop|null|2|64|64|1|32"));
  EXPECT_THAT(Types(GroupBy::kGeneration, "Shop.Order"), ElementsAre("gen2|null|2|64|64|0|0", "gen0|null|0|0|0|1|32"));
  EXPECT_THAT(Types(GroupBy::kType, "Nothing"), ElementsAre());
}

TEST_F(SessionTables, ObjectsByWhatTheyRetain) {
  RecordingSink sink;
  const ObjectsShown shown = StreamObjects(*sample_.session, {.limit = 2}, sink, sample_.work);
  ASSERT_EQ(sink.rows.size(), 2u);
  EXPECT_THAT(sink.rows[0], HasSubstr("0|"));
  EXPECT_THAT(sink.rows[0], HasSubstr("|Shop.Cache|24|144|gen2|true"));
  EXPECT_THAT(sink.rows[1], HasSubstr("|Shop.Order[]|88|120|gen2|true"));
  EXPECT_EQ(shown.objects, 6u);
  EXPECT_EQ(shown.bytes, 224u);
  EXPECT_EQ(sink.left_out, 4u);
}

TEST_F(SessionTables, ObjectsInAddressOrderAreCutAndCounted) {
  RecordingSink sink;
  const ObjectsShown shown =
      StreamObjects(*sample_.session, {.order = session::ObjectOrder::kAddress, .limit = 3}, sink, sample_.work);
  EXPECT_EQ(sink.rows.size(), 3u);
  EXPECT_EQ(sink.left_out, 3u);
  EXPECT_EQ(shown.bytes, 224u);
}

TEST_F(SessionTables, UnreachableObjectsRetainNothing) {
  RecordingSink sink;
  StreamObjects(*sample_.session, {.unreachable = true}, sink, sample_.work);
  ASSERT_EQ(sink.rows.size(), 1u);
  EXPECT_THAT(sink.rows[0], HasSubstr("|Shop.Order|32|0|gen0|false"));
}

TEST_F(SessionTables, ACancelledListSaysSo) {
  ASSERT_TRUE(sample_.session->Dominators(sample_.work));
  sample_.work.Cancel();
  RecordingSink sink;
  EXPECT_EQ(StreamObjects(*sample_.session, {}, sink, sample_.work).damage->code, "cancelled");
}

TEST_F(SessionTables, ObjectsAreFoundByIndexAndAddress) {
  const uint64_t address = sample_.session->Object(ObjectIndex(3), sample_.work)->address;
  EXPECT_EQ(FindObject(*sample_.session, {ObjectName::Kind::kIndex, 3}, sample_.work)->value, 3u);
  EXPECT_EQ(FindObject(*sample_.session, {ObjectName::Kind::kAddress, address}, sample_.work)->value, 3u);
  for (const ObjectName wrong : {ObjectName{ObjectName::Kind::kIndex, 7},
                                 {ObjectName::Kind::kIndex, (1ull << 32) + 3},
                                 {ObjectName::Kind::kIndex, UINT64_MAX},
                                 {ObjectName::Kind::kAddress, address + 8}})
    EXPECT_EQ(FindObject(*sample_.session, wrong, sample_.work).error().code, "object.missing");
}

TEST_F(SessionTables, ObjectDocument) {
  const auto document = MakeObjectDocument(*sample_.session, ObjectIndex(3), 100, sample_.work);
  ASSERT_TRUE(document);
  const Json json = ObjectFieldsJson(*document);
  EXPECT_EQ(json["type"], "Shop.Order");
  EXPECT_EQ(json["bytes"], 32);
  EXPECT_EQ(json["retained"], 32);
  EXPECT_EQ(json["reachable"], true);
  EXPECT_TRUE(json["dominator"].is_null());  // a local holds it too
  EXPECT_EQ(json["fields"][0]["name"], "_customer");
  EXPECT_EQ(json["fields"][0]["offset"], 8);
  EXPECT_EQ(json["fields"][0]["target"], 4);
  EXPECT_EQ(json["fields"][0]["target_type"], "Shop.Customer");
  EXPECT_TRUE(json["fields"][1]["target"].is_null());
  EXPECT_EQ(json["referrers"], Json::parse(R"([{"object":1,"type":"Shop.Order[]","field":"[5]","reachable":true}])"));
  EXPECT_EQ(json["roots"][0]["kind"], "local");
  EXPECT_EQ(json["roots"][0]["frame"], "Shop.Program.Main");
}

TEST_F(SessionTables, ObjectTextIsCutAndSaysSo) {
  const auto document = MakeObjectDocument(*sample_.session, ObjectIndex(1), 3, sample_.work);
  ASSERT_TRUE(document);
  StringSink sink;
  WriteObjectText(*document, {}, sink);
  EXPECT_THAT(sink.Text(), HasSubstr("Shop.Order[], length 8\n"));
  EXPECT_THAT(sink.Text(), HasSubstr("… 5 more rows\n"));  // 8 - 3
  EXPECT_THAT(sink.Text(), HasSubstr("Dominator   @0 Shop.Cache\n"));
}

TEST_F(SessionTables, PathOfAnObjectStartsWithTheShortestCertainOne) {
  const session::RootPaths paths = PathsOf(3, 10);
  ASSERT_EQ(paths.paths.size(), 2u);
  EXPECT_EQ(FieldPath(paths.paths[0]), "Shop.Cache.Instance → _entries → [5]");
  EXPECT_EQ(FieldPath(paths.paths[1]), "Shop.Program.Main");  // shorter, but a guess
  EXPECT_EQ(RootWords(summary_, paths.paths[1].root),
            "local of Shop.Program.Main on thread 42 (Main) (perhaps: found by a conservative scan)");
  EXPECT_EQ(PathFields(summary_, paths.paths[1])["root"]["certain"], false);
  EXPECT_EQ(PathsOf(3, 1).paths.size(), 1u);
  const Json json = PathFields(summary_, paths.paths[0]);
  EXPECT_EQ(json["root"], Json::parse(R"({"kind":"static","name":"Shop.Cache.Instance","thread":null,"frame":null,
                                          "certain":true})"));
  ASSERT_EQ(json["steps"].size(), 3u);
  EXPECT_EQ(json["steps"][0]["field"], "Shop.Cache.Instance");
  EXPECT_EQ(json["steps"][0]["retained"], 144);
  EXPECT_EQ(json["steps"][1]["field"], "_entries");
  EXPECT_EQ(json["steps"][2]["field"], "[5]");
  EXPECT_EQ(json["steps"][2]["object"], 3);
}

TEST_F(SessionTables, PathOfALiteralNamesTheKindOfRoot) { EXPECT_EQ(FieldPath(PathsOf(6, 1).paths[0]), "(frozen)"); }

TEST_F(SessionTables, PathTextAndRows) {
  const session::RootPaths paths = PathsOf(2, 10);
  StringSink sink;
  WritePathsText(summary_, paths, {}, sink);
  EXPECT_EQ(sink.Text(),
            "1. 1 object, 32 bytes held by static Shop.Cache.Instance\n"
            "  Shop.Cache.Instance → _entries → [2]\n"
            "  Object  Retained  Type          Held by\n"
            "  @0           144  Shop.Cache    Shop.Cache.Instance\n"
            "  @1           120  Shop.Order[]  _entries\n"
            "  @2            32  Shop.Order    [2]\n");
  const PathTable table(summary_, paths);
  EXPECT_EQ(table.RowCount(), 3u);
  EXPECT_EQ(std::get<std::string>(table.Row(2)[10]), "[2]");
}

TEST_F(SessionTables, StepsLeftOutOfTheMiddleAreTold) {
  session::RootPath path = PathsOf(2, 1).paths[0];
  path.steps.erase(path.steps.begin() + 1);
  path.omitted = 1;
  path.omitted_after = 1;
  EXPECT_EQ(FieldPath(path), "Shop.Cache.Instance → … 1 more step … → [2]");
  EXPECT_EQ(PathFields(summary_, path)["omitted"], Json::parse(R"({"steps":1,"after":1})"));
  session::RootPaths paths;
  paths.total = 3;
  paths.paths = {path};
  StringSink sink;
  WritePathsText(summary_, paths, {}, sink);
  EXPECT_THAT(sink.Text(), HasSubstr("  …              -  1 more step\n"));
  EXPECT_THAT(sink.Text(), HasSubstr("… 2 more paths\n"));
  EXPECT_EQ(std::get<uint64_t>(PathTable(summary_, paths).Row(1)[6]), 3u);  // the third step of the whole path
}

TEST_F(SessionTables, RootsByKindAndOneByOne) {
  RecordingSink kinds, roots;
  Emit(RootKindsTable(sample_.session->RootsByKind(sample_.work).value()), std::nullopt, kinds);
  EXPECT_THAT(kinds.rows, ElementsAre("static|1|1|24", "local|1|1|32", "frozen|1|1|24", "handle-weak|1|1|32"));
  const RootsTable table(summary_, **sample_.session->Graph(sample_.work),
                         sample_.session->Roots(std::nullopt, sample_.work).value());
  Emit(table, std::nullopt, roots);
  EXPECT_THAT(roots.rows, ElementsAre("static|Shop.Cache.Instance|null|true|0|Shop.Cache",
                                      "local|Shop.Program.Main|42 (Main)|false|3|Shop.Order",
                                      "frozen||null|true|6|Shop.Customer", "handle-weak||null|true|5|Shop.Order"));
  EXPECT_EQ(table.Fields(1)["thread"], Json::parse(R"({"os_id":42,"managed_id":1,"name":"Main"})"));
  EXPECT_EQ(table.Fields(1)["certain"], false);
}

TEST_F(SessionTables, Dominators) {
  RecordingSink top, below;
  Emit(DominatorsTable(summary_, sample_.session->DominatorChildren(ObjectIndex(), 10, sample_.work).value(), 224),
       std::nullopt, top);
  EXPECT_THAT(top.rows, ElementsAre("0|Shop.Cache|24|144|2|64.3 %",  // 144 / 224
                                    "3|Shop.Order|32|32|0|14.3 %", "4|Shop.Customer|24|24|0|10.7 %",
                                    "6|Shop.Customer|24|24|0|10.7 %"));
  const DominatorsTable cut(summary_, sample_.session->DominatorChildren(ObjectIndex(), 1, sample_.work).value(), 0);
  EXPECT_EQ(cut.RowCount(), 1u);
  EXPECT_EQ(cut.LeftOut(), 3u);
  Emit(DominatorsTable(summary_, sample_.session->DominatorChildren(ObjectIndex(0), 10, sample_.work).value(), 144),
       std::nullopt, below);
  EXPECT_THAT(below.rows, ElementsAre("1|Shop.Order[]|88|120|1|83.3 %"));
}

}  // namespace
}  // namespace cairn::presentation
