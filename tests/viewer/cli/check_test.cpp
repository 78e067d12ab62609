// cairn check as a build server runs it: exit codes, documents, files. head.cairn has three Shop.Prices.Subscription
// that base.cairn has not; a local holds the first.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/viewer/cli/cairn_program.h"
#include "tests/viewer/cli/checked_document.h"
#include "tests/viewer/cli/sample_snapshots.h"
#include "tests/viewer/cli/schema_check.h"

namespace cairn::cli::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kLimit = "[[limit]]\ntype = \"Shop.Prices.Subscription\"\nmax_objects = 2\n";

class Check : public ::testing::Test {
 protected:
  void SetUp() override { Samples().WriteText("leaks.toml", kLimit); }

  static Outcome Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "check");
    return RunCairn(arguments, Samples().Folder());
  }
  static json Document(int code, std::vector<std::string> arguments) {
    arguments.push_back("--json");
    return CheckedDocument(Run(arguments), code, "check");
  }
  static std::string ErrorCode(int code, std::vector<std::string> arguments) {
    arguments.push_back("--json");
    const Outcome outcome = Run(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    return json::parse(outcome.out)["error"]["code"];
  }
  static std::string Content(const std::string& name) {
    std::ifstream file(Samples().Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(Check, GoodAndBad) {
  const json good = Document(0, {"base.cairn", "--rules", "leaks.toml"});
  EXPECT_EQ(good["ok"], true);
  EXPECT_THAT(good["violations"], IsEmpty());
  const json bad = Document(1, {"head.cairn", "--rules", "leaks.toml"});
  EXPECT_EQ(bad["ok"], false);
  ASSERT_EQ(bad["violations"].size(), 1u);
  EXPECT_EQ(bad["violations"][0]["objects"], 3);
  EXPECT_EQ(bad["violations"][0]["bytes"], 72);  // 3 × (8 + 8 + 8)
  EXPECT_EQ(bad["violations"][0]["path"], "static Shop.Prices.Changed");
}

TEST_F(Check, TextNamesThePathAndTheRule) {
  const Outcome outcome = Run({"head.cairn", "--rules", "leaks.toml"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, StartsWith("LEAK limit Shop.Prices.Subscription: at most 2 objects of"));
  EXPECT_THAT(outcome.out, HasSubstr("3 objects of Shop.Prices.Subscription reachable, at most 2 allowed"));
  EXPECT_THAT(outcome.out, HasSubstr("path: static Shop.Prices.Changed"));
}

TEST_F(Check, GrowthAgainstABase) {
  Samples().WriteText("growth.toml", "[[no_growth]]\ntype = \"Shop.*\"\n");
  EXPECT_EQ(ErrorCode(2, {"head.cairn", "--rules", "growth.toml"}), "check.needs_base");
  const json bad = Document(1, {"head.cairn", "--base", "base.cairn", "--rules", "growth.toml"});
  EXPECT_EQ(bad["violations"][0]["objects_before"], 0);
  Document(0, {"base.cairn", "--base", "base.cairn", "--rules", "growth.toml"});
}

TEST_F(Check, ABaselineIsWrittenOnceAndThenOnlyNewLeaksFail) {
  const json accepted = Document(0, {"head.cairn", "--rules", "leaks.toml", "--write-baseline", "known.toml"});
  EXPECT_EQ(accepted["ok"], true);
  EXPECT_EQ(accepted["baseline"], 1);
  EXPECT_THAT(Content("known.toml"), HasSubstr("[leaks]\n\"v1:"));
  EXPECT_EQ(Document(0, {"head.cairn", "--rules", "leaks.toml", "--baseline", "known.toml"})["baseline"], 1);
  EXPECT_EQ(ErrorCode(3, {"head.cairn", "--rules", "leaks.toml", "--baseline", "none.toml"}), "check.no_baseline");
}

TEST_F(Check, AnIncompleteSnapshotIsNeitherGreenNorALeak) {
  Samples().WriteText("orders.toml", "[[limit]]\ntype = \"Shop.Order\"\nmax_objects = 0\n");
  for (const char* rules : {"orders.toml", "leaks.toml"}) {
    const json document = Document(4, {"odd.cairn", "--rules", rules, "--report", "junit=odd.xml"});
    EXPECT_EQ(document["ok"], false);
    EXPECT_EQ(document["complete"], false);
    EXPECT_THAT(Content("odd.xml"), HasSubstr("<error message=\"nothing can be said"));
  }
  EXPECT_EQ(Document(4, {"base.cairn", "--base", "odd.cairn", "--rules", "leaks.toml"})["ok"], false);
  EXPECT_EQ(ErrorCode(4, {"odd.cairn", "--rules", "leaks.toml", "--write-baseline", "no.toml"}), "check.incomplete");
  EXPECT_FALSE(std::filesystem::exists(Samples().Path("no.toml")));
}

TEST_F(Check, ARuleThatMatchesNothingIsNeitherGreenNorALeak) {
  const std::string misspelt = "[[limit]]\ntype = \"Shop.Ordr\"\nmax_objects = 1\n";
  Samples().WriteText("misspelt.toml", misspelt);
  const json document = Document(3, {"head.cairn", "--rules", "misspelt.toml", "--report", "junit=misspelt.xml"});
  EXPECT_EQ(document["ok"], false);
  EXPECT_EQ(document["unjudged"][0]["rule"], "limit Shop.Ordr");
  EXPECT_THAT(Content("misspelt.xml"), HasSubstr("errors=\"1\""));
  const Outcome csv = Run({"head.cairn", "--rules", "misspelt.toml", "--csv"});
  EXPECT_EQ(csv.code, 3);
  EXPECT_THAT(csv.err, HasSubstr("misspelt.toml:1:1: no type of the snapshot matches Shop.Ordr"));
  // A leak is one, whatever other rules say.
  Samples().WriteText("both.toml", misspelt + kLimit);
  EXPECT_EQ(Document(1, {"head.cairn", "--rules", "both.toml"})["unjudged"].size(), 1u);
  Samples().WriteText("absent.toml", misspelt + "may_be_absent = true\n");
  EXPECT_EQ(Document(0, {"head.cairn", "--rules", "absent.toml"})["ok"], true);
}

TEST_F(Check, AYoungCaptureIsWarnedOf) {
  const Outcome outcome = Run({"odd.cairn", "--rules", "leaks.toml"});
  EXPECT_THAT(outcome.err, HasSubstr("warning: The snapshot is of a young collection"));
}

TEST_F(Check, MistakesInFilesAreToldWithTheirPlace) {
  Samples().WriteText("bad.toml", "[[limit]]\nmax_objects = 1\nmax_object = 2\n");
  const Outcome outcome = Run({"head.cairn", "--rules", "bad.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("bad.toml:3:1: [[limit]] has no key 'max_object'"));
  Samples().WriteText("pattern.toml", "[[limit]]\ntype = \"/[/\"\nmax_objects = 1\n");
  EXPECT_THAT(Run({"head.cairn", "--rules", "pattern.toml"}).err, HasSubstr("pattern.toml:2:1: type: /[/ is not"));
  Samples().WriteText("b.toml", "version = 1\nleaks = 3\n");
  EXPECT_THAT(Run({"head.cairn", "--rules", "leaks.toml", "--baseline", "b.toml"}).err, HasSubstr("b.toml:2:1: "));
}

TEST_F(Check, FilesThatCannotBeReadOrWrittenAreNoLeak) {
  EXPECT_EQ(ErrorCode(3, {"head.cairn", "--rules", "none.toml"}), "check.no_file");
  EXPECT_EQ(ErrorCode(3, {"none.cairn", "--rules", "leaks.toml"}), "snapshot.missing");
  EXPECT_EQ(ErrorCode(3, {"head.cairn", "--rules", "leaks.toml", "--report", "md=none/r.md"}), "output.no_folder");
  EXPECT_EQ(ErrorCode(2, {"head.cairn"}), "usage.missing_argument");
  for (const char* report : {"junit", "junit=", "pdf=x", "=x"})
    EXPECT_EQ(ErrorCode(2, {"head.cairn", "--rules", "leaks.toml", "--report", report}), "usage.bad_value");
}

TEST_F(Check, AnEarlierReportIsNotTakenForThatOfARunThatSaysNothing) {
  for (const auto& [head, rules] : {std::pair("none.cairn", "leaks.toml"), {"head.cairn", "none.toml"}}) {
    Samples().WriteText("earlier.xml", "<testsuite failures=\"0\"/>");
    Run({head, "--rules", rules, "--report", "junit=earlier.xml"});
    EXPECT_FALSE(std::filesystem::exists(Samples().Path("earlier.xml"))) << head;
  }
}

TEST_F(Check, EveryReportOfOneRun) {
  const Outcome outcome = Run({"head.cairn", "--base", "base.cairn", "--rules", "leaks.toml", "--report", "junit=r.xml",
                               "--report", "sarif=r.sarif", "--report", "md=r.md", "--report", "html=r.html",
                               "--report", "json=r.json", "--report", "text=r.txt"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(Content("r.xml"), HasSubstr("failures=\"1\""));
  EXPECT_EQ(json::parse(Content("r.sarif"))["runs"][0]["results"].size(), 1u);
  EXPECT_THAT(Content("r.md"), HasSubstr("1 violation of 1 rule"));
  EXPECT_THAT(Content("r.html"), HasSubstr("</svg>"));
  EXPECT_THAT(SchemaViolations(LoadSchema("check"), json::parse(Content("r.json"))), IsEmpty());
  EXPECT_EQ(Content("r.txt"), outcome.out);
}

TEST_F(Check, CsvHasARowPerViolation) {
  const Outcome outcome = Run({"head.cairn", "--rules", "leaks.toml", "--csv"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, StartsWith("rule,type,fingerprint,objects,bytes,retained,path,message\r\n"));
}

TEST(Grow, WrongUse) {
  EXPECT_EQ(RunCairn({"grow", "1"}).code, 2);
  EXPECT_THAT(RunCairn({"grow", "1"}).err, HasSubstr("grow needs --scenario COMMAND"));
  EXPECT_THAT(RunCairn({"grow", "--scenario", "true"}).err, HasSubstr("grow needs a process"));
  EXPECT_THAT(RunCairn({"grow", "1", "--scenario", "true", "--snapshots", "2"}).err, HasSubstr("at least 3"));
}

TEST(Grow, AMisspeltTypeIsNeitherGreenNorALeak) {
  const auto run = [](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"grow",       "--from", "base.cairn", "--from",
                                          "base.cairn", "--type", "Shop.Ordr"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunCairn(arguments, Samples().Folder());
  };
  const Outcome misspelt = run({"--json"});
  EXPECT_EQ(misspelt.code, 3);
  EXPECT_EQ(json::parse(misspelt.out)["error"]["code"], "grow.no_such_type");
  EXPECT_EQ(run({"--may-be-absent"}).code, 0);
}

}  // namespace
}  // namespace cairn::cli::testing
