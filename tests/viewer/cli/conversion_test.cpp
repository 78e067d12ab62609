// export and import through the program: documents, refusals, and a round trip that every command reads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/viewer/cli/cairn_program.h"
#include "tests/viewer/cli/checked_document.h"
#include "tests/viewer/cli/sample_snapshots.h"
#include "tests/viewer/presentation/csv_reader.h"

namespace cairn::cli::testing {
namespace {

using nlohmann::json;
using presentation::testing::ReadCsv;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

json Document(const std::string& schema, int code, std::vector<std::string> arguments) {
  arguments.push_back("--json");
  return CheckedDocument(RunCairn(arguments, Samples().Folder()), code, schema);
}

std::string Content(const std::string& name) {
  std::ifstream file(Samples().Path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Conversion, RoundTripThroughGcDump) {
  const json out = Document("export", 0, {"export", "head.cairn", "--to", "gcdump", "-o", "round.gcdump", "--force"});
  EXPECT_EQ(out["output"], "round.gcdump");
  EXPECT_EQ(out["objects"], 12);  // the nine of base.cairn and three leaked ones
  EXPECT_THAT(out["lost"].dump(), HasSubstr("names of fields"));
  const json in = Document("import", 0, {"import", "round.gcdump", "-o", "round.cairn", "--force"});
  EXPECT_EQ(in["objects"], 12);
  EXPECT_THAT(in["lost"], IsEmpty());
  EXPECT_EQ(in["complete"], true);
  EXPECT_EQ(in["problems"][0]["code"], "import.gcdump");
  const json info = Document("info", 0, {"info", "round.cairn", "--verify"});
  EXPECT_THAT(info["verified"]["errors"], IsEmpty());
  EXPECT_THAT(Document("diff", 0, {"diff", "head.cairn", "round.cairn"})["types"], IsEmpty());
}

TEST(Conversion, EveryCommandReadsWhatWasImported) {
  RunCairn({"export", "base.cairn", "--to", "gcdump", "-o", "read.gcdump", "--force"}, Samples().Folder());
  RunCairn({"import", "read.gcdump", "-o", "read.cairn", "--force"}, Samples().Folder());
  const std::vector<std::vector<std::string>> commands = {{"info", "read.cairn"},
                                                          {"types", "read.cairn"},
                                                          {"objects", "read.cairn"},
                                                          {"object", "read.cairn", "@0"},
                                                          {"roots", "read.cairn"},
                                                          {"path", "read.cairn", "--type", "Shop.Order"},
                                                          {"dominators", "read.cairn"},
                                                          {"heap", "read.cairn"},
                                                          {"contexts", "read.cairn"},
                                                          {"suspects", "read.cairn"},
                                                          {"diff", "read.cairn", "read.cairn"}};
  for (const auto& command : commands) EXPECT_EQ(RunCairn(command, Samples().Folder()).code, 0) << command[0];
  const json info = Document("info", 0, {"info", "read.cairn"});
  for (const char* field : {"pause_ms", "method", "gc_actual", "elapsed_ms", "free_bytes", "reconciled"})
    EXPECT_TRUE(info[field].is_null()) << field;  // nobody measured it
  const json waste = Document("waste", 0, {"waste", "read.cairn"});
  for (const char* field : {"duplicates", "collections", "boxed", "disposed"})
    EXPECT_TRUE(waste[field].is_null()) << field;
  const json path = Document("path", 0, {"path", "read.cairn", "--type", "Shop.Order"});
  EXPECT_EQ(path["objects"], 3);
  ASSERT_EQ(path["paths"].size(), 2u);  // elements of one array are one path, though their fields have no names
  EXPECT_EQ(path["paths"][0]["count"], 2);
  EXPECT_EQ(path["paths"][0]["root"]["name"], "Shop.Order.All");
  EXPECT_EQ(path["paths"][1]["root"]["name"], "Shop.Cache.Instance");
}

TEST(Conversion, HeapSnapshot) {
  Document("export", 0, {"export", "base.cairn", "--to", "heapsnapshot", "-o", "a.heapsnapshot", "--force"});
  const json file = json::parse(Content("a.heapsnapshot"));
  EXPECT_EQ(file["snapshot"]["node_count"], 9 + 2 + 2);  // objects, the two roots, static and frozen
}

TEST(Conversion, Csv) {
  const json out = Document("export", 0, {"export", "base.cairn", "--to", "csv", "-o", "a.csv", "--force"});
  EXPECT_EQ(out["objects"], 9);
  const auto rows = ReadCsv(Content("a.csv"));
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"object", "address", "type", "bytes", "retained", "generation",
                                               "reachable", "references", "dominator"}));
  EXPECT_EQ(rows[1], (std::vector<std::string>{"0", "0x7f0000001000", "Shop.Order", "48", "48", "gen0", "true", "1",
                                               "6"}));  // only the array "all" holds it
  EXPECT_EQ(rows[5][6], "false");
}

TEST(Conversion, AnIncompleteSnapshotIsLabelled) {
  EXPECT_EQ(Document("export", 4, {"export", "odd.cairn", "--to", "gcdump", "-o", "odd.gcdump", "--force"})["complete"],
            false);
}

TEST(Conversion, RefusesWhatIsThere) {
  Samples().WriteText("taken", "precious");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"export", "base.cairn", "--to", "csv", "-o", "taken"},
        std::vector<std::string>{"export", "base.cairn", "--to", "gcdump", "-o", "taken"}}) {
    const Outcome outcome = RunCairn(command, Samples().Folder());
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("taken exists already"));
  }
  EXPECT_EQ(Content("taken"), "precious");
  EXPECT_FALSE(std::filesystem::exists(Samples().Path("taken.partial")));
}

TEST(Conversion, OtherFilesAreNotImported) {
  const Outcome outcome = RunCairn({"import", "base.cairn", "-o", "never.cairn"}, Samples().Folder());
  EXPECT_EQ(outcome.code, 4);  // as a file that is no snapshot
  EXPECT_THAT(outcome.err, HasSubstr("no .gcdump"));
  EXPECT_EQ(RunCairn({"import", "nowhere.gcdump", "-o", "never.cairn"}, Samples().Folder()).code, 3);
  EXPECT_FALSE(std::filesystem::exists(Samples().Path("never.cairn")));
}

}  // namespace
}  // namespace cairn::cli::testing
