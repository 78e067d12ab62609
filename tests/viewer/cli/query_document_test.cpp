// cairn query: documents, forms and exit codes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/cli/cairn_program.h"
#include "tests/viewer/cli/sample_snapshots.h"
#include "tests/viewer/cli/schema_check.h"
#include "tests/viewer/presentation/csv_reader.h"

namespace cairn::cli::testing {
namespace {

using nlohmann::json;
using presentation::testing::ReadCsv;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Outcome RunQuery(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "query");
  return RunCairn(arguments, Samples().Folder());
}

json Document(int code, std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const Outcome outcome = RunQuery(arguments);
  EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
  return json::parse(outcome.out);
}

TEST(Query, DocumentFollowsTheSchema) {
  const json document =
      Document(0, {"base.cairn", "SELECT object, type, bytes / 3.0 AS third, dominator FROM objects"});
  EXPECT_THAT(SchemaViolations(LoadSchema("query"), document), IsEmpty());
  EXPECT_EQ(document["columns"], json({"object", "type", "third", "dominator"}));
  EXPECT_THAT(document["rows"], SizeIs(9));  // as info says
  EXPECT_THAT(Document(0, {"base.cairn", "SELECT 1 WHERE 0"})["rows"], IsEmpty());
  EXPECT_THAT(Document(0, {"base.cairn", "SELECT * FROM objects", "--top", "2"})["rows"], SizeIs(2));
}

TEST(Query, SaysWhatTheCommandsSay) {
  const json types = json::parse(RunCairn({"types", "head.cairn", "--json"}, Samples().Folder()).out)["types"];
  const json rows = Document(0, {"head.cairn",
                                 "SELECT type, objects, bytes, retained, unreachable_objects, "
                                 "unreachable_bytes FROM types WHERE objects + unreachable_objects > 0"})["rows"];
  ASSERT_EQ(rows.size(), types.size());
  for (const json& type : types)
    EXPECT_THAT(rows, ::testing::Contains(json({type["type"], type["objects"], type["bytes"], type["retained"],
                                                type["unreachable_objects"], type["unreachable_bytes"]})));
  const json sum = Document(0, {"head.cairn", "SELECT count(*), sum(bytes) FROM objects"})["rows"][0];
  const json info = json::parse(RunCairn({"info", "head.cairn", "--json"}, Samples().Folder()).out);
  EXPECT_EQ(sum, json({info["objects"], info["bytes"]}));
}

TEST(Query, HelpNamesEveryTable) {
  const std::string help = RunQuery({"--help"}).out;
  for (const char* table : {"objects(", "edges(", "types(", "fields(", "roots(", "strings(", "snapshots("})
    EXPECT_THAT(help, HasSubstr(table));
}

TEST(Query, SeveralFiles) {
  const json rows =
      Document(0, {"base.cairn", "head.cairn", "SELECT snapshot, count(*) FROM objects GROUP BY 1"})["rows"];
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0], json({1, 9}));
}

TEST(Query, AnIncompleteSnapshotIsLabelled) {
  const json document = Document(4, {"odd.cairn", "SELECT count(*) FROM objects"});
  EXPECT_EQ(document["complete"], false);
  EXPECT_THAT(RunQuery({"odd.cairn", "SELECT 1"}).out, HasSubstr("INCOMPLETE"));
}

TEST(Query, TextIsCutAndSaysSo) {
  const Outcome outcome = RunQuery({"base.cairn", "SELECT object FROM objects", "--top", "4"});
  EXPECT_THAT(outcome.out, HasSubstr("… 5 more rows"));
  EXPECT_THAT(RunQuery({"base.cairn", "SELECT 1 WHERE 0"}).err, HasSubstr("no rows"));
}

TEST(Query, CsvHoldsEverything) {
  const auto records = ReadCsv(RunQuery({"base.cairn", "SELECT object, type FROM objects", "--csv"}).out);
  ASSERT_THAT(records, SizeIs(10));
  EXPECT_EQ(records[0], (std::vector<std::string>{"object", "type"}));
  EXPECT_THAT(ReadCsv(RunQuery({"base.cairn", "SELECT 1 AS one WHERE 0", "--csv"}).out), SizeIs(1));
}

// What JSON and CSV have no form of their own for.
TEST(Query, OddValues) {
  const std::string sql =
      "SELECT x'00Ff' AS b, 9e999 AS up, -9e999 AS down, 'a' || char(10) || 'b' AS lines, NULL AS n";
  EXPECT_EQ(Document(0, {"base.cairn", sql})["rows"],
            json::parse(R"([["x'00ff'", "Infinity", "-Infinity", "a\nb", null]])"));
  const std::string csv = RunQuery({"base.cairn", sql, "--csv"}).out;
  EXPECT_EQ(csv, "b,up,down,lines,n\r\nx'00ff',inf,-inf,\"a\nb\",\r\n");
}

TEST(Query, ARefusalSaysWhatIsAllowed) {
  const json error = Document(2, {"base.cairn", "SELECT * FROM json_each('[1]')"})["error"];
  EXPECT_EQ(error["code"], "query.refused");
  EXPECT_THAT(error["hint"].get<std::string>(), HasSubstr("json_each"));
  EXPECT_EQ(Document(0, {"base.cairn", "SELECT json_extract('{\"a\":7}', '$.a')"})["rows"], json::parse("[[7]]"));
}

TEST(Query, Failures) {
  struct Case {
    std::string sql;
    int exit;
    std::string code;
  };
  const std::string endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
  for (const Case& each : {Case{"SELEC", 2, "query.invalid"},
                           {"DROP TABLE objects", 2, "query.refused"},
                           {"ATTACH 'other.db' AS other", 2, "query.refused"},
                           {endless, 3, "query.timeout"}}) {
    const json document = Document(each.exit, {"base.cairn", each.sql, "--timeout", "200ms"});
    EXPECT_THAT(SchemaViolations(LoadSchema("error"), document), IsEmpty()) << each.sql;
    EXPECT_EQ(document["error"]["code"], each.code) << each.sql;
  }
  EXPECT_EQ(RunQuery({"base.cairn"}).code, 2);
  EXPECT_EQ(RunQuery({"missing.cairn", "SELECT 1"}).code, 3);
  EXPECT_EQ(RunQuery({"base.cairn", "SELECT 1", "--memory", "much"}).code, 2);
}

// What goes wrong after the first rows is part of the one document.
TEST(Query, AnErrorAfterTheFirstRowsKeepsTheDocumentWhole) {
  const json document = Document(3, {"base.cairn",
                                     "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
                                     "SELECT x FROM c WHERE x < 3 OR x < 0",
                                     "--timeout", "200ms"});
  EXPECT_EQ(document["rows"], json::parse("[[1],[2]]"));
  EXPECT_EQ(document["error"]["code"], "query.timeout");
}

}  // namespace
}  // namespace cairn::cli::testing
