// SQL over a small heap: the same numbers as the session's answers, and no more rows looked at than needed.

#include "viewer/query/query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/must.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::query {
namespace {

using analysis::Work;
using session::SnapshotSession;
using snapshot::Generation;
using snapshot::RootKind;
using snapshot::testing::Must;
using snapshot::testing::SnapshotBuilder;
using snapshot::testing::Target;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct TextWriter {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return std::to_string(number); }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const sql::LastingText& text) const { return std::string(text.text); }
};

struct Rows : sql::ResultSink {
  void Columns(const std::vector<std::string>&) override {}
  bool Row(std::span<const sql::Value> cells) override {
    std::string row;
    for (const sql::Value& cell : cells) row += (row.empty() ? "" : "|") + std::visit(TextWriter{}, cell);
    rows.push_back(row);
    return true;
  }
  std::vector<std::string> rows;
};

//   static Shop.All → all[4](24 + 32 = 56) → order0 … order3(48) → customer(24), text0 … text3
//   order3._next → order0                                    garbage: lost(48) → order1
//
// Shop.Order has three references: 8 (header) + 8 (MethodTable) + 24 = 40. System.String is 22 + 2 × length, rounded
// up to 8: text0 24, text1 24, text2 32 (26), text3 32 (28).
class QueryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Write(first_, 4);
    Write(second_, 3);
  }

  static void Write(const std::string& path, int orders) {
    SnapshotBuilder builder;
    const uint32_t order = builder.Class("Shop.Order", {"_customer", "_note", "_next"});  // 0
    const uint32_t array = builder.ReferenceArray("Shop.Order[]", "Shop.Order");          // 1
    const uint32_t customer = builder.Class("Shop.Customer");                             // 2
    const uint32_t text = builder.String();                                               // 3
    builder.TypeAt(order).module = builder.Module("Shop.dll");
    for (int i = 0; i < orders; ++i)
      builder.Object("order" + std::to_string(i), order,
                     {"customer", "text" + std::to_string(i), i == 3 ? Target("order0") : Target()});
    for (int i = 0; i < orders; ++i) builder.Array("text" + std::to_string(i), text, static_cast<uint64_t>(i));
    builder.Object("customer", customer);
    builder.Range(Generation::kGen0);
    builder.Array("all", array, 4, {"order0", nullptr, "order1", "order2"});
    if (orders == 4) builder.Object("lost", order, {nullptr, nullptr, "order1"});
    builder.Root(RootKind::kStatic, "all", "Shop.All");
    if (orders == 4) builder.Root(RootKind::kLocal, "order3");
    Must(builder.Write(path));
  }

  std::vector<std::string> Ask(const std::string& sql) {
    if (!query_) Open({first_});
    Rows rows;
    const Status done = query_->Run(sql, limits_, rows);
    if (!done) rows.rows = {done.error().code};
    return rows.rows;
  }

  void Open(const std::vector<std::string>& paths) {
    std::vector<SnapshotSession*> sessions;
    for (const std::string& path : paths) {
      sessions_.push_back(Must(SnapshotSession::Open(path)));
      sessions.push_back(sessions_.back().get());
    }
    query_.emplace(sessions, work_);
  }

  uint64_t VisitedBy(const std::string& sql, const std::string& table) {
    Ask("SELECT 1");
    const uint64_t before = query_->Visited(table);
    last_ = Ask(sql);
    return query_->Visited(table) - before;
  }

  const snapshot::testing::TemporaryFolder folder_;
  const std::string first_ = folder_.File("first.cairn"), second_ = folder_.File("second.cairn");
  std::vector<std::unique_ptr<SnapshotSession>> sessions_;
  Work work_;
  std::optional<Query> query_;
  sql::QueryLimits limits_;
  std::vector<std::string> last_;
};

enum : uint32_t { kOrder0, kOrder1, kOrder2, kOrder3, kText0, kText1, kText2, kText3, kCustomer, kAll, kLost };

TEST_F(QueryTest, Objects) {
  EXPECT_THAT(
      Ask("SELECT object, type, bytes, retained, generation, reachable, dominator FROM objects"),
      ElementsAre("0|Shop.Order|40|64|gen2|1|null",  // both the array and order3 refer to it
                  "1|Shop.Order|40|64|gen2|1|9", "2|Shop.Order|40|72|gen2|1|9", "3|Shop.Order|40|72|gen2|1|null",
                  "4|System.String|24|24|gen2|1|0", "5|System.String|24|24|gen2|1|1", "6|System.String|32|32|gen2|1|2",
                  "7|System.String|32|32|gen2|1|3", "8|Shop.Customer|24|24|gen2|1|null",
                  "9|Shop.Order[]|56|192|gen0|1|null",  // 56 + 64 + 72
                  "10|Shop.Order|40|0|gen0|0|null"));
}

TEST_F(QueryTest, TheSameAsTheSessionSays) {
  Open({first_});
  SnapshotSession& session = *sessions_.front();
  for (uint32_t i = 0; i < session.GetSummary().totals.objects; ++i) {
    const session::ObjectInfo object = Must(session.Object(ObjectIndex(i), work_));
    char address[32];
    std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(object.address));
    const std::string expected = std::to_string(i) + "|" + std::to_string(object.bytes) + "|" +
                                 std::to_string(object.retained) + "|" + (object.reachable ? "1" : "0");
    EXPECT_THAT(
        Ask("SELECT object, bytes, retained, reachable FROM objects WHERE address='" + std::string(address) + "'"),
        ElementsAre(expected));
  }
  for (const session::GroupRow& row : Must(session.Groups(session::Grouping::kType, work_)))
    EXPECT_THAT(Ask("SELECT objects, bytes, retained, unreachable_objects, unreachable_bytes FROM types WHERE type='" +
                    row.name + "'"),
                ElementsAre(std::to_string(row.reachable.objects) + "|" + std::to_string(row.reachable.bytes) + "|" +
                            std::to_string(row.retained) + "|" + std::to_string(row.unreachable.objects) + "|" +
                            std::to_string(row.unreachable.bytes)));
}

TEST_F(QueryTest, Edges) {
  EXPECT_THAT(Ask("SELECT source, target, field, kind FROM edges WHERE source >= 3 AND source < 11"),
              ElementsAre("3|8|_customer|slot", "3|7|_note|slot", "3|0|_next|slot", "9|0|[0]|slot", "9|1|[2]|slot",
                          "9|2|[3]|slot", "10|1|_next|slot"));
  EXPECT_THAT(Ask("SELECT source, field FROM edges WHERE target = 0"), ElementsAre("3|_next", "9|[0]"));
  EXPECT_THAT(Ask("SELECT count(*) FROM edges"), ElementsAre("13"));  // 4 × 2 + 1, 3 of the array, 1 of "lost"
}

TEST_F(QueryTest, TypesFieldsRootsStringsSnapshots) {
  EXPECT_THAT(Ask("SELECT type_id, type, module, kind, objects, unreachable_bytes FROM types"),
              ElementsAre("0|Shop.Order|Shop.dll|class|4|40", "1|Shop.Order[]|null|array|1|0",
                          "2|Shop.Customer|null|class|1|0", "3|System.String|null|string|4|0"));
  EXPECT_THAT(Ask("SELECT field, offset, kind FROM fields WHERE type = 'Shop.Order'"),
              ElementsAre("_customer|8|reference", "_note|16|reference", "_next|24|reference"));
  EXPECT_THAT(Ask("SELECT object, kind, name, followed, certain FROM roots"),
              ElementsAre("9|static|Shop.All|1|1", "3|local|null|1|1"));
  EXPECT_THAT(Ask("SELECT object, bytes, length, hash, text FROM strings"),
              ElementsAre("4|24|0|null|null", "5|24|1|null|null", "6|32|2|null|null", "7|32|3|null|null"));
  EXPECT_THAT(Ask("SELECT snapshot, path, objects, complete FROM snapshots"), ElementsAre("1|" + first_ + "|11|1"));
}

// Each with the rows that the table stood on.
TEST_F(QueryTest, LookupsLookAtNothingElse) {
  struct Case {
    const char* table;
    const char* where;
    uint64_t visited, rows;
  };
  for (const Case& each : {Case{"objects", "object = 5", 1, 1},
                           {"objects", "object = '5'", 1, 1},
                           {"objects", "object = 5.5", 0, 0},
                           {"objects", "object = -1", 0, 0},
                           {"objects", "object = 99999999999", 0, 0},
                           {"objects", "object = NULL", 0, 0},
                           {"objects", "object = 'x'", 0, 0},
                           {"objects", "object IN (1, 3, 5)", 3, 3},
                           {"objects", "object > 7", 4, 3},  // 7 itself is looked at, too
                           {"objects", "object >= 2 AND object <= 4", 3, 3},
                           {"objects", "object BETWEEN 2 AND 4", 3, 3},
                           {"objects", "type = 'Shop.Customer'", 1, 1},
                           {"objects", "type = 'System.String' AND bytes > 24", 4, 2},
                           {"objects", "type = 'missing'", 0, 0},
                           {"objects", "type_id = 2", 1, 1},
                           {"objects", "type_id = 77", 0, 0},
                           {"objects", "dominator = 9", 2, 2},
                           {"objects", "address = '0x1'", 0, 0},
                           {"objects", "address = 'nonsense'", 0, 0},
                           {"edges", "source = 3", 3, 3},
                           {"edges", "target = 8", 4, 4},
                           {"edges", "target = 99", 0, 0},
                           {"types", "type_id = 1", 1, 1},
                           {"types", "type = 'Shop.Order'", 1, 1},
                           {"fields", "type_id = 0", 3, 3},
                           {"roots", "kind = 'local'", 1, 1},
                           {"roots", "object = 9", 1, 1},
                           {"strings", "object = 6", 1, 1},
                           {"strings", "object > 6", 2, 1},
                           {"objects", "snapshot = 2", 0, 0},
                           {"objects", "snapshot = 1 AND object = 3", 1, 1}}) {
    const std::string sql = std::string("SELECT * FROM ") + each.table + " WHERE " + each.where;
    EXPECT_EQ(VisitedBy(sql, each.table), each.visited) << sql;
    EXPECT_THAT(last_, SizeIs(each.rows)) << sql;
  }
}

TEST_F(QueryTest, JoinsUseLookups) {
  const std::string sql =
      "SELECT o.object FROM types t JOIN objects o ON o.type_id = t.type_id WHERE t.type = 'Shop.Order'";
  EXPECT_EQ(VisitedBy(sql, "objects"), 5u);
  EXPECT_THAT(last_, ElementsAre("0", "1", "2", "3", "10"));
  // Who refers to the customer, by type: the edges to it, then each source.
  EXPECT_THAT(
      Ask("SELECT s.type, e.field, count(*) FROM edges e JOIN objects s ON s.object = e.source WHERE e.target = 8"
          " GROUP BY 1, 2"),
      ElementsAre("Shop.Order|_customer|4"));
}

// More lookups by target than are done by looking at all edges: then they are sorted, and say the same.
TEST_F(QueryTest, EveryEdgeIsFoundByItsTarget) {
  const auto all = Ask("SELECT source, target, field FROM edges ORDER BY 1, 2, 3");
  EXPECT_EQ(Ask("SELECT e.source, e.target, e.field FROM objects o CROSS JOIN edges e ON e.target = o.object ORDER BY "
                "1, 2, 3"),
            all);
  EXPECT_THAT(all, SizeIs(13));
}

TEST_F(QueryTest, TheOrderOfObjectsIsFree) {
  const auto plan = [&](const std::string& sql) { return ::testing::PrintToString(Ask("EXPLAIN QUERY PLAN " + sql)); };
  EXPECT_THAT(plan("SELECT * FROM objects ORDER BY object"), ::testing::Not(HasSubstr("TEMP B-TREE")));
  EXPECT_THAT(plan("SELECT * FROM objects WHERE type = 'x' ORDER BY object"), ::testing::Not(HasSubstr("TEMP B-TREE")));
  EXPECT_THAT(plan("SELECT * FROM edges ORDER BY snapshot, source"), ::testing::Not(HasSubstr("TEMP B-TREE")));
  EXPECT_THAT(plan("SELECT * FROM objects ORDER BY object DESC"), HasSubstr("TEMP B-TREE"));
  EXPECT_THAT(plan("SELECT * FROM objects ORDER BY bytes"), HasSubstr("TEMP B-TREE"));
}

TEST_F(QueryTest, SeveralSnapshotsAreOneTable) {
  Open({first_, second_});
  EXPECT_THAT(Ask("SELECT snapshot, count(*) FROM objects GROUP BY snapshot"), ElementsAre("1|11", "2|8"));
  EXPECT_THAT(Ask("SELECT a.objects, b.objects FROM types a JOIN types b USING (type) WHERE a.snapshot = 1 AND"
                  " b.snapshot = 2 AND type = 'Shop.Order'"),
              ElementsAre("4|3"));
  EXPECT_EQ(VisitedBy("SELECT * FROM objects WHERE object = 2", "objects"), 2u);
  EXPECT_EQ(VisitedBy("SELECT * FROM objects WHERE snapshot = 2", "objects"), 8u);
  EXPECT_THAT(Ask("SELECT snapshot, object FROM objects WHERE object < 2 ORDER BY object, snapshot"),
              ElementsAre("1|0", "2|0", "1|1", "2|1"));
}

TEST_F(QueryTest, TimeAndCancelAreForAllOfIt) {
  limits_.time = std::chrono::milliseconds(50);
  EXPECT_THAT(Ask("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c"),
              ElementsAre("query.timeout"));
}

TEST_F(QueryTest, ComparesWithBlobsAsSqliteDoes) {
  for (const std::string column : {"object", "address", "bytes", "type"}) {
    EXPECT_THAT(Ask("SELECT count(*) FROM objects WHERE " + column + " < x'00'"), ElementsAre("11")) << column;
    EXPECT_THAT(Ask("SELECT count(*) FROM objects WHERE " + column + " >= x'00'"), ElementsAre("0")) << column;
  }
  EXPECT_THAT(Ask("SELECT count(*) FROM objects WHERE object = x'00'"), ElementsAre("0"));
}

TEST_F(QueryTest, CancelledWorkEndsIt) {
  Open({first_});
  work_.Cancel();
  EXPECT_THAT(Ask("SELECT retained FROM objects"), ElementsAre("cancelled"));
}

TEST_F(QueryTest, NothingElseCanBeRead) {
  EXPECT_THAT(Ask("ATTACH '" + first_ + "' AS other"), ElementsAre("query.refused"));
  EXPECT_THAT(Ask("DROP TABLE objects"), ElementsAre("query.refused"));
  EXPECT_THAT(Ask("SELECT name FROM sqlite_schema"), IsEmpty());
}

TEST(QueryTables, AreListedForHelp) {
  EXPECT_THAT(Query::Tables(), SizeIs(7));
  EXPECT_THAT(Query::Tables().front(),
              "objects(snapshot, object, address, type_id, type, bytes, retained, generation, "
              "reachable, dominator)");
}

}  // namespace
}  // namespace cairn::query
