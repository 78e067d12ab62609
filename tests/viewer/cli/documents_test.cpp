// Every JSON document of the real program against its schema, and the same numbers in every form.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/viewer/cli/cairn_program.h"
#include "tests/viewer/cli/checked_document.h"
#include "tests/viewer/cli/sample_snapshots.h"
#include "tests/viewer/cli/schema_check.h"
#include "tests/viewer/presentation/csv_reader.h"

namespace cairn::cli::testing {
namespace {

using nlohmann::json;
using presentation::testing::ReadCsv;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// Runs with --json, expects the exit code and that the document follows the schema.
json Document(const std::string& schema, int code, std::vector<std::string> arguments) {
  arguments.push_back("--json");
  return CheckedDocument(RunCairn(arguments, Samples().Folder()), code, schema);
}

uint64_t Sum(const json& rows, const char* key) {
  uint64_t sum = 0;
  for (const json& row : rows) sum += row[key].get<uint64_t>();
  return sum;
}

TEST(SchemaCheck, FindsEveryKindOfViolation) {
  const json schema = LoadSchema("detach");
  EXPECT_THAT(SchemaViolations(schema, json::parse(R"({"schema":1,"pid":1,"detached":true})")), IsEmpty());
  EXPECT_THAT(SchemaViolations(schema, json::parse(R"({"schema":2,"pid":1,"detached":true})")), SizeIs(1));
  EXPECT_THAT(SchemaViolations(schema, json::parse(R"({"schema":1,"pid":"1","detached":true})")), SizeIs(1));
  EXPECT_THAT(SchemaViolations(schema, json::parse(R"({"schema":1,"pid":1})")), SizeIs(1));
  EXPECT_THAT(SchemaViolations(schema, json::parse(R"({"schema":1,"pid":1,"detached":true,"more":0})")), SizeIs(1));
  EXPECT_THAT(SchemaViolations(LoadSchema("clean"), json::parse(R"({"schema":1,"removed":["a",1]})")), SizeIs(1));
  EXPECT_THAT(SchemaViolations(schema, json::parse("[]")), SizeIs(1));
}

TEST(Documents, Info) {
  const json info = Document("info", 0, {"info", "base.cairn"});
  EXPECT_EQ(info["objects"], 9);  // 5 orders, "name", "all", "map", "literal"
  EXPECT_EQ(info["bytes"], 240 + 32 + 104 + 120'024 + 32);
  EXPECT_EQ(info["free_bytes"], 64);
  EXPECT_EQ(info["roots_count"], 2);
  EXPECT_EQ(info["snapshot"], "base.cairn");
  EXPECT_FALSE(info.contains("verified"));
}

TEST(Documents, InfoVerified) {
  const json info = Document("info", 0, {"info", "base.cairn", "--verify"});
  EXPECT_EQ(info["verified"]["objects"], 9);
  EXPECT_EQ(info["verified"]["edges"], info["edges"]);
  EXPECT_THAT(info["verified"]["errors"], IsEmpty());
}

TEST(Documents, InfoOfAnIncompleteSnapshot) {
  const json info = Document("info", 4, {"info", "odd.cairn"});
  EXPECT_EQ(info["complete"], false);
  EXPECT_EQ(info["problems"][0]["code"], "walk.bad_method_table");
  EXPECT_EQ(info["memory"]["limit_bytes"], 2'147'483'648);
  EXPECT_EQ(info["roots"], "young");
}

TEST(Documents, TypesSumUpToInfo) {
  for (const char* file : {"base.cairn", "head.cairn", "odd.cairn"}) {
    const int code = std::string(file) == "odd.cairn" ? 4 : 0;
    const json info = Document("info", code, {"info", file});
    for (const char* by : {"type", "namespace", "module", "generation"}) {
      const json types = Document("types", code, {"types", file, "--by", by})["types"];
      EXPECT_EQ(Sum(types, "objects") + Sum(types, "unreachable_objects"), info["objects"]) << file << by;
      EXPECT_EQ(Sum(types, "bytes") + Sum(types, "unreachable_bytes"), info["bytes"]) << file << by;
      const json all = Document("types", code, {"types", file, "--by", by, "--no-retained"})["types"];
      EXPECT_EQ(Sum(all, "objects"), info["objects"]) << file << by;
      EXPECT_EQ(Sum(all, "bytes"), info["bytes"]) << file << by;
    }
  }
}

TEST(Documents, ReachabilityIsNull) {
  const json rows = Document("types", 0, {"types", "base.cairn", "--no-retained"})["types"];
  ASSERT_EQ(rows.size(), 4u);
  for (const json& row : rows)
    EXPECT_TRUE(row["retained"].is_null() && row["unreachable_objects"].is_null() &&
                row["unreachable_bytes"].is_null());
}

// new0 … new2 are held, new3 and new4 are garbage: 96 of 240 bytes.
TEST(Documents, TypesTellReachableFromGarbage) {
  const json row = Document("types", 0, {"types", "base.cairn", "Shop.Order"})["types"][0];
  EXPECT_EQ(row["objects"], 3);
  EXPECT_EQ(row["bytes"], 144);
  EXPECT_EQ(row["retained"], 144);  // "name" is held by the dictionary too: not theirs
  EXPECT_EQ(row["unreachable_objects"], 2);
  EXPECT_EQ(row["unreachable_bytes"], 96);
}

TEST(Documents, ObjectsAreReachableOrNot) {
  const json reachable = Document("objects", 0, {"objects", "base.cairn"})["objects"];
  EXPECT_EQ(reachable.size(), 7u);
  for (const json& row : reachable) EXPECT_EQ(row["reachable"], true);
  EXPECT_EQ(reachable[0]["object"], 7);  // what retains the most comes first
  const json garbage = Document("objects", 0, {"objects", "base.cairn", "--unreachable"})["objects"];
  ASSERT_EQ(garbage.size(), 2u);
  for (const json& row : garbage) EXPECT_EQ(row["retained"], 0);
  const json all = Document("objects", 0, {"objects", "base.cairn", "--no-retained"})["objects"];
  EXPECT_EQ(all.size(), 9u);
  for (const json& row : all) EXPECT_TRUE(row["retained"].is_null() && row["reachable"].is_null());
}

TEST(Documents, Object) {
  const json object = Document("object", 0, {"object", "base.cairn", "@0"});
  EXPECT_EQ(object["type"], "Shop.Order");
  EXPECT_EQ(object["fields"][0]["name"], "customer");
  EXPECT_EQ(object["fields"][0]["target"], 5);
  EXPECT_TRUE(object["fields"][1]["target"].is_null());
  EXPECT_EQ(object["referrers"][0]["field"], "[0]");
  const json map = Document("object", 0, {"object", "base.cairn", "0x7f0000200000"});
  EXPECT_EQ(map["fields"].size(), 10'000u);  // 5000 entries of two references
  EXPECT_EQ(map["fields"][0]["name"], "[0].key");
  EXPECT_EQ(map["roots"][0]["name"], "Shop.Cache.Instance");
  EXPECT_EQ(Document("object", 0, {"object", "base.cairn", "@7", "--top", "3"})["fields"].size(), 3u);
}

TEST(Documents, PathOfAnObject) {
  const json path = Document("path", 0, {"path", "base.cairn", "--object", "@2"});
  ASSERT_EQ(path["paths"].size(), 1u);
  EXPECT_EQ(path["paths"][0]["count"], 1);
  EXPECT_EQ(path["paths"][0]["root"]["kind"], "static");
  EXPECT_EQ(path["paths"][0]["root"]["name"], "Shop.Cache.Instance");
  ASSERT_EQ(path["paths"][0]["steps"].size(), 2u);
  EXPECT_EQ(path["paths"][0]["steps"][1]["field"], "[0].value");
  EXPECT_EQ(path["paths"][0]["steps"][1]["object"], 2);
}

TEST(Documents, PathsOfATypeAreMerged) {
  const json path = Document("path", 0, {"path", "base.cairn", "--type", "Shop.Order"});
  ASSERT_EQ(path["paths"].size(), 2u);  // two in All, one in the cache
  EXPECT_EQ(path["paths"][0]["count"], 2);
  EXPECT_EQ(path["paths"][0]["root"]["name"], "Shop.Order.All");
  EXPECT_EQ(path["paths"][1]["count"], 1);
  EXPECT_EQ(path["objects"], 3);
  EXPECT_EQ(path["unreachable"], 2);
  const json one = Document("path", 0, {"path", "base.cairn", "--type", "Shop.Order", "--limit", "1"});
  EXPECT_EQ(one["paths"].size(), 1u);
  EXPECT_EQ(one["total"], 2);
}

// A type, an object and a number of rows are written alike for every command.
TEST(Documents, OneSpellingServesSeveralCommands) {
  const auto out = [](std::vector<std::string> arguments) {
    const Outcome outcome = RunCairn(arguments, Samples().Folder());
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, Not(IsEmpty()));
    return outcome.out;
  };
  const std::string of_type = out({"path", "head.cairn", "--type", "Shop.Order", "--limit", "1"});
  EXPECT_EQ(out({"path", "head.cairn", "Shop.Order", "--top", "1"}), of_type);
  EXPECT_EQ(out({"path", "head.cairn", "@0"}), out({"path", "head.cairn", "--object", "@0"}));
  const std::string types = out({"types", "head.cairn", "Shop.*", "--top", "1"});
  EXPECT_EQ(out({"types", "head.cairn", "--type", "Shop.*", "--limit", "1"}), types);
  EXPECT_EQ(out({"objects", "head.cairn", "--type", "Shop.Order", "--limit", "1"}),
            out({"objects", "head.cairn", "--type", "Shop.Order", "--top", "1"}));
}

TEST(Documents, PathOfALocalHasThreadAndFrame) {
  const json path = Document("path", 0, {"path", "head.cairn", "--object", "5", "--all"});
  ASSERT_EQ(path["paths"].size(), 2u);
  EXPECT_EQ(path["paths"][0]["root"]["kind"], "static");  // comes before local
  EXPECT_EQ(path["paths"][0]["root"]["certain"], true);
  EXPECT_EQ(path["paths"][1]["root"]["kind"], "local");
  EXPECT_EQ(path["paths"][1]["root"]["certain"], false);
  const json roots = Document("roots", 0, {"roots", "head.cairn", "--kind", "local"})["roots"];
  ASSERT_EQ(roots.size(), 1u);
  EXPECT_EQ(roots[0]["frame"], "Shop.Program.Main");
  EXPECT_EQ(roots[0]["thread"], json::parse(R"({"os_id":42,"managed_id":1,"name":"Main"})"));
  EXPECT_EQ(roots[0]["certain"], false);
}

TEST(Documents, WhatNothingHoldsHasNoPath) {
  const json path = Document("path", 0, {"path", "base.cairn", "--object", "@4"});
  EXPECT_THAT(path["paths"], IsEmpty());
  EXPECT_EQ(path["unreachable"], 1);
}

TEST(Documents, Roots) {
  EXPECT_EQ(Document("roots", 0, {"roots", "base.cairn"})["roots"].size(), 3u);  // two statics, the literal
  EXPECT_EQ(Document("roots", 0, {"roots", "head.cairn", "--kind", "static"})["roots"].size(), 5u);
  EXPECT_EQ(Document("roots", 0, {"roots", "head.cairn", "--top", "2"})["roots"].size(), 2u);
}

TEST(Documents, Dominators) {
  const json top = Document("dominators", 0, {"dominators", "base.cairn"});
  EXPECT_TRUE(top["of"].is_null());
  uint64_t retained = Sum(top["children"], "retained");
  const json types = Document("types", 0, {"types", "base.cairn"})["types"];
  EXPECT_EQ(retained, Sum(types, "bytes"));  // what the roots dominate is the reachable heap
  const json map = Document("dominators", 0, {"dominators", "base.cairn", "--of", "@7"});
  EXPECT_EQ(map["of"], 7);
  EXPECT_EQ(map["children"].size(), 1u);  // new2
}

TEST(Documents, PatternsOfEveryForm) {
  const auto count = [](const char* pattern) {
    return Document("types", 0, {"types", "base.cairn", pattern})["types"].size();
  };
  EXPECT_EQ(count("Shop.Order"), 1u);     // exact
  EXPECT_EQ(count("Shop.*"), 2u);         // glob: Order, Order[]
  EXPECT_EQ(count("shop.order"), 3u);     // part: and the dictionary's entries
  EXPECT_EQ(count("/^Shop.*\\]$/"), 1u);  // expression
  EXPECT_EQ(count("Nothing"), 0u);
  EXPECT_EQ(Document("types", 0, {"types", "base.cairn", "--filter", "Shop.*"})["types"].size(), 2u);
}

TEST(Documents, ObjectsAreAllUnlessTopSays) {
  Samples().WriteManyTypes("many.cairn", 50);
  EXPECT_EQ(Document("objects", 0, {"objects", "many.cairn"})["objects"].size(), 50u);
  EXPECT_EQ(Document("objects", 0, {"objects", "many.cairn", "--top", "7"})["objects"].size(), 7u);
  EXPECT_EQ(Document("types", 0, {"types", "many.cairn"})["types"].size(), 50u);
  EXPECT_EQ(Document("types", 0, {"types", "many.cairn", "--top", "7"})["types"].size(), 7u);
  const std::string text = RunCairn({"types", "many.cairn"}, Samples().Folder()).out;
  EXPECT_THAT(text, HasSubstr("… 20 more rows\n"));  // 50 - 30
}

TEST(Documents, ObjectsByNameAndByFilter) {
  const json map = Document("objects", 0, {"objects", "base.cairn", "--generation", "loh"})["objects"];
  ASSERT_EQ(map.size(), 1u);
  EXPECT_EQ(map[0]["bytes"], 120'024);
  EXPECT_EQ(map[0]["object"], 7);  // behind 5 orders, "name" and "all"
  EXPECT_EQ(map[0]["address"], "0x7f0000200000");
  EXPECT_EQ(map[0]["reachable"], true);
  for (const char* name : {"@7", "7", "0x7f0000200000"})
    EXPECT_EQ(Document("objects", 0, {"objects", "base.cairn", name})["objects"], map);
}

TEST(Documents, Diff) {
  const json diff = Document("diff", 0, {"diff", "base.cairn", "head.cairn"});
  ASSERT_EQ(diff["types"].size(), 2u);
  const json& row = diff["types"][0];
  EXPECT_EQ(row["type"], "Shop.Prices.Subscription");
  EXPECT_EQ(row["module"], "Shop.dll");
  EXPECT_EQ(row["objects"], json::parse("[0,3]"));
  EXPECT_EQ(row["bytes"], json::parse("[0,72]"));  // 3 × 24
  EXPECT_EQ(row["retained"], json::parse("[0,72]"));
  EXPECT_EQ(diff["types"][1]["type"], "Shop.Order[]");
  EXPECT_EQ(diff["types"][1]["bytes"], json::parse("[104,104]"));
  EXPECT_EQ(diff["types"][1]["retained"], json::parse("[200,152]"));  // "new0" is held by the leak too: 104 + 48
  EXPECT_EQ(diff["snapshots"], json::parse(R"(["base.cairn","head.cairn"])"));
  EXPECT_EQ(diff["paths"], json::array());
}

TEST(Documents, DiffByPath) {
  const json diff = Document("diff", 0, {"diff", "base.cairn", "head.cairn", "--by", "path"});
  EXPECT_EQ(diff["types"], json::array());
  const json& row = diff["paths"][0];
  EXPECT_EQ(row["path"], "static Shop.Prices.Changed");
  EXPECT_EQ(row["type"], "Shop.Prices.Subscription");
  EXPECT_EQ(row["objects"], json::parse("[0,3]"));
  EXPECT_EQ(row["retained"], json::parse("[0,72]"));
  uint64_t objects = 0;
  const json same = Document("diff", 0, {"diff", "base.cairn", "base.cairn", "--by", "path", "--all"})["paths"];
  for (const json& path : same) objects += path["objects"][0].get<uint64_t>();
  EXPECT_EQ(objects, 7u);  // every reachable object has one path
}

TEST(Documents, Suspects) {
  const json suspects = Document("suspects", 0, {"suspects", "head.cairn", "--base", "base.cairn"})["suspects"];
  ASSERT_EQ(suspects.size(), 1u);
  EXPECT_EQ(suspects[0]["type"], "Shop.Prices.Subscription");
  EXPECT_EQ(suspects[0]["objects"], 3);
  EXPECT_EQ(suspects[0]["bytes"], 72);
  EXPECT_EQ(suspects[0]["path"], "static Shop.Prices.Changed");
}

// Beside the result, which is what it is without.
TEST(Documents, APatternThatMatchesNothingNamesWhatIsNear) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"types", "base.cairn", "Shop.Ordr", "--json"},
        {"objects", "base.cairn", "--type", "Shop.Ordr"},
        {"path", "base.cairn", "--type", "shop.ordr*", "--csv"}}) {
    const Outcome outcome = RunCairn(command, Samples().Folder());
    EXPECT_EQ(outcome.code, 0) << command[0];
    EXPECT_THAT(outcome.err, HasSubstr("; did you mean Shop.Order or Shop.Order[]?\n")) << command[0];
    EXPECT_THAT(outcome.out, Not(HasSubstr("did you mean")));
  }
  const Outcome far = RunCairn({"types", "base.cairn", "Nothing"}, Samples().Folder());
  EXPECT_THAT(far.err, HasSubstr("no type matches Nothing; a pattern is a full name, a glob"));
}

TEST(Documents, GrowthShownBackwardsIsSaidBesideTheResult) {
  Samples().WriteCapturedAt("later.cairn", "2026-01-02T04:00:00Z");
  const auto run = [](std::vector<std::string> arguments) { return RunCairn(arguments, Samples().Folder()); };
  const std::string note = "later.cairn was captured after head.cairn: growth is shown backwards; swap the two\n";
  for (const Outcome& outcome : {run({"diff", "later.cairn", "head.cairn", "--json"}),
                                 run({"diff", "later.cairn", "head.cairn", "--by", "path", "--csv"}),
                                 run({"suspects", "head.cairn", "--base", "later.cairn"})}) {
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, note);
    EXPECT_THAT(outcome.out, Not(HasSubstr("backwards")));
  }
  EXPECT_THAT(run({"diff", "base.cairn", "later.cairn", "head.cairn"}).err, HasSubstr("; name the oldest first\n"));
  EXPECT_THAT(run({"diff", "head.cairn", "later.cairn"}).err, Not(HasSubstr("backwards")));
  EXPECT_THAT(run({"diff", "base.cairn", "head.cairn"}).err, Not(HasSubstr("backwards")));  // of the same second
}

TEST(Documents, DiffOfThreeNamesTheIncompleteOne) {
  const json diff = Document("diff", 4, {"diff", "base.cairn", "head.cairn", "odd.cairn"});
  EXPECT_EQ(diff["complete"], false);
  EXPECT_THAT(diff["problems"][0]["message"].get<std::string>(), HasSubstr("odd.cairn: "));
  EXPECT_EQ(diff["types"][0]["objects"].size(), 3u);
}

TEST(Documents, DiffOfManyHasOneFigurePerSnapshot) {
  const json types =
      Document("diff", 0, {"diff", "base.cairn", "head.cairn", "base.cairn", "head.cairn", "head.cairn"})["types"];
  ASSERT_EQ(types.size(), 2u);
  EXPECT_EQ(types[0]["type"], "Shop.Prices.Subscription");
  EXPECT_EQ(types[0]["objects"], json::parse("[0,3,0,3,3]"));
  EXPECT_EQ(types[0]["bytes"], json::parse("[0,72,0,72,72]"));
  EXPECT_EQ(types[0]["retained"], json::parse("[0,72,0,72,72]"));
  const json paths = Document("diff", 0, {"diff", "base.cairn", "head.cairn", "head.cairn", "--by", "path"})["paths"];
  EXPECT_EQ(paths[0]["objects"], json::parse("[0,3,3]"));
  EXPECT_EQ(paths[0]["retained"], json::parse("[0,72,72]"));
}

TEST(Documents, DiffByNamespace) {
  const json types = Document("diff", 0, {"diff", "base.cairn", "head.cairn", "--by", "namespace"})["types"];
  ASSERT_EQ(types.size(), 1u);
  EXPECT_EQ(types[0]["type"], "Shop.Prices");
  EXPECT_TRUE(types[0]["module"].is_null());
  EXPECT_EQ(types[0]["bytes"], json::parse("[0,72]"));
  const json all = Document("diff", 0, {"diff", "base.cairn", "head.cairn", "--by", "namespace", "--all"})["types"];
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[1]["type"], "Shop");                     // orders and their array
  EXPECT_EQ(all[1]["bytes"], json::parse("[248,248]"));  // 3 × 48 + 104
}

TEST(Documents, Processes) { Document("ps", 0, {"ps"}); }

TEST(Documents, DoctorOfAProcessThatIsNotDotnet) {
  const json doctor = Document("doctor", 3, {"doctor", std::to_string(getpid())});
  EXPECT_EQ(doctor["ok"], false);
  for (const json& probe : doctor["probes"]) EXPECT_NE(probe["detail"], "");
}

TEST(Documents, DoctorOfACommand) {
  const Outcome outcome = RunCairn({"doctor", "--json", "--env", "--", "true", "--json"});
  EXPECT_TRUE(outcome.code == 0 || outcome.code == 3) << outcome.err;
  const json doctor = json::parse(outcome.out);
  EXPECT_THAT(SchemaViolations(LoadSchema("doctor"), doctor), IsEmpty());
  EXPECT_EQ(doctor["ok"], outcome.code == 0);
}

TEST(Documents, HostileNamesAreExactInJson) {
  const Outcome outcome = RunCairn({"types", "odd.cairn", "--json"}, Samples().Folder());
  EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b")));
  const json rows = json::parse(outcome.out)["types"];
  EXPECT_EQ(rows[0]["type"], "Evil\x1b[31m\r\nName, \"quoted\"\xEF\xBF\xBD");
  EXPECT_EQ(rows[1]["module"], "Shop\x07.dll");
}

TEST(Documents, HostileNamesAreHarmlessInTextAndCsv) {
  for (const char* form : {"--csv", "--verbose"})
    for (const char* command : {"types", "objects", "info"}) {
      const Outcome outcome = RunCairn({command, "odd.cairn", form}, Samples().Folder());
      for (const char* control : {"\x1b", "\x07"}) EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr(control)));
    }
}

TEST(Documents, CsvHoldsTheSameRows) {
  const std::vector<std::vector<std::string>> commands = {
      {"types", "odd.cairn"}, {"types", "base.cairn"}, {"objects", "base.cairn"}};
  for (const auto& command : commands) {
    const int code = command[1] == "odd.cairn" ? 4 : 0;
    const json rows = Document(command[0], code, command)[command[0]];
    std::vector<std::string> as_csv = command;
    as_csv.push_back("--csv");
    const auto records = ReadCsv(RunCairn(as_csv, Samples().Folder()).out);
    ASSERT_EQ(records.size(), rows.size() + 1);
    for (size_t i = 0; i < rows.size(); ++i)
      for (size_t c = 0; c < records[0].size(); ++c) {
        const json& value = rows[i][records[0][c]];
        if (value.is_string()) continue;  // names are escaped differently
        EXPECT_EQ(records[i + 1][c], value.is_null() ? "" : value.dump());
      }
  }
}

TEST(Documents, CsvOfEveryTableParses) {
  const std::vector<std::vector<std::string>> commands = {{"ps", "--csv"},
                                                          {"doctor", std::to_string(getpid()), "--csv"},
                                                          {"info", "base.cairn", "--csv"},
                                                          {"diff", "base.cairn", "head.cairn", "--csv"},
                                                          {"object", "base.cairn", "@7", "--csv"},
                                                          {"path", "head.cairn", "--type", "Shop", "--csv"},
                                                          {"roots", "head.cairn", "--csv"},
                                                          {"dominators", "head.cairn", "--csv"},
                                                          {"diff", "base.cairn", "head.cairn", "--by", "path", "--csv"},
                                                          {"suspects", "base.cairn", "--csv"}};
  for (const auto& command : commands)
    EXPECT_NO_THROW(ReadCsv(RunCairn(command, Samples().Folder()).out)) << command[0];
  const auto diff = ReadCsv(RunCairn(commands[3], Samples().Folder()).out);
  EXPECT_EQ(diff[0], (std::vector<std::string>{"type", "module", "objects_1", "objects_2", "bytes_1", "bytes_2",
                                               "retained_1", "retained_2", "new", "survived", "dead", "uncertain"}));
}

}  // namespace
}  // namespace cairn::cli::testing
