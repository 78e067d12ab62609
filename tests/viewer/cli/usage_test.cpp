// Every wrong use: its own sentence, its own code, exit 2; what this build lacks: exit 3.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "tests/viewer/cli/cairn_program.h"
#include "tests/viewer/cli/sample_snapshots.h"
#include "tests/viewer/cli/schema_check.h"

namespace cairn::cli::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Case {
  std::vector<std::string> arguments;
  std::string code;
  std::string sentence;  // a part of message or hint
};

void ExpectError(const Case& wrong, int exit_code) {
  const Outcome text = RunCairn(wrong.arguments, Samples().Folder());
  EXPECT_EQ(text.code, exit_code) << wrong.sentence << text.out;
  EXPECT_THAT(text.err, HasSubstr(wrong.sentence));
  EXPECT_THAT(text.out, IsEmpty());
  if (wrong.arguments.empty() || wrong.arguments[0].starts_with('-')) return;
  std::vector<std::string> with_json = wrong.arguments;
  with_json.insert(with_json.begin() + 1, "--json");
  const Outcome outcome = RunCairn(with_json, Samples().Folder());
  EXPECT_EQ(outcome.code, exit_code);
  const json document = json::parse(outcome.out);
  EXPECT_THAT(SchemaViolations(LoadSchema("error"), document), IsEmpty());
  EXPECT_EQ(document["error"]["code"], wrong.code) << wrong.sentence;
  EXPECT_THAT(document["error"]["message"].get<std::string>() + document["error"]["hint"].get<std::string>(),
              HasSubstr(wrong.sentence));
}

const Case kWrongUse[] = {
    {{"tpyes"}, "command.unknown", "Did you mean types?"},
    {{"frobnicate"}, "command.unknown", "there is no command 'frobnicate'"},
    {{"--frobnicate"}, "usage.unknown_option", "cairn has no option --frobnicate of its own"},
    {{"types"}, "usage.missing_argument", "types needs FILE"},
    {{"info"}, "usage.missing_argument", "info needs FILE"},
    {{"objects"}, "usage.missing_argument", "objects needs FILE"},
    {{"diff"}, "usage.missing_argument", "diff needs FILE (at least 2 more)"},
    {{"diff", "base.cairn"}, "usage.missing_argument", "diff needs FILE"},
    {{"types", "base.cairn", "A", "B"}, "usage.unexpected_argument", "types has no use for 'B'"},
    {{"watch"}, "usage.no_target", "watch needs a process"},
    {{"watch", "1", "--every", "0"}, "usage.bad_value", "--every takes a duration above zero"},
    {{"watch", "1", "--duration", "0s"}, "usage.bad_value", "--duration takes a duration above zero"},
    {{"log", "1", "--duration", "0"}, "usage.bad_value", "Leave it out to go on until Ctrl-C"},
    {{"trace", "1", "--method", "A.B", "--duration", "0"}, "usage.bad_value", "Leave it out to go on until Ctrl-C"},
    {{"allocations", "1", "--duration", "0"}, "usage.bad_value", "Leave it out for the usual 30s."},
    {{"capture", "1", "--allocations", "--duration", "0"}, "usage.bad_value", "Leave it out for the usual 30s."},
    {{"watch", "1", "--count", "0"}, "usage.bad_value", "--count takes a whole number of at least 1"},
    {{"watch", "1", "--keep-last", "0"}, "usage.bad_value", "--keep-last takes a whole number of at least 1"},
    {{"watch", "1", "--max-disk", "much"}, "usage.bad_size", "'much' is not a size"},
    {{"watch", "1", "--when-heap-grows", "20"}, "usage.bad_value", "a percentage such as 20%, not '20'"},
    {{"watch", "1", "--when-heap-grows", "0%"}, "usage.bad_value", "a percentage such as 20%, not '0%'"},
    {{"watch", "1", "--when-heap-over", "80%"}, "usage.bad_value", "or 80%-of-limit, not '80%'"},
    {{"watch", "1", "--when-heap-over", "x%-of-limit"}, "usage.bad_value", "not 'x%-of-limit'"},
    {{"watch", "1", "--max-pause", "0"}, "usage.bad_value", "--max-pause takes from 1 ms"},
    {{"capture", "1", "--light", "--gc", "young"}, "usage.conflict", "--light takes a full collection"},
    {{"watch", "1", "--gc", "young", "--light"}, "usage.conflict", "Leave out one of the two."},
    {{"capture", "1", "--allocations", "--gc", "young"}, "usage.conflict", "--allocations takes a full collection"},
    {{"watch", "1", "--allocations", "--gc", "young"}, "usage.conflict", "--allocations takes a full collection"},
    {{"watch", "1", "--track", "--gc", "young"}, "usage.conflict", "--track takes a full collection"},
    {{"run", "--track", "--gc", "young", "--", "true"}, "usage.conflict", "--track takes a full collection"},
    {{"capture", "1", "--allocations", "--wait-natural"},
     "usage.wait_natural",
     "--allocations takes a full collection"},
    {{"capture", "1", "--wait-natural", ""}, "usage.bad_value", "--wait-natural is empty"},
    {{"capture", "1", "--wait-natural="}, "usage.bad_value", "--wait-natural is empty"},
    {{"capture", "1", "--output="}, "usage.bad_value", "--output is empty"},
    {{"capture", "1", "--light=yes"}, "usage.bad_value", "--light is a switch and takes no value"},
    {{"info", "base.cairn", "--verify=yes"}, "usage.bad_value", "--verify is a switch and takes no value"},
    {{"info", "base.cairn", "--verify="}, "usage.bad_value", "Write --verify."},
    {{"run"}, "usage.missing_argument", "run needs a command to start"},
    {{"run", "--frobnicate"}, "usage.unknown_option", "run has no option --frobnicate"},
    {{"ps", "12"}, "usage.unexpected_argument", "ps has no use for '12'"},
    {{"types", "base.cairn", "--tpo", "3"}, "usage.unknown_option", "Did you mean --top?"},
    {{"types", "base.cairn", "--frobnicate"}, "usage.unknown_option", "types has no option --frobnicate"},
    {{"info", "base.cairn", "-q"}, "usage.unknown_option", "info has no option -q"},
    {{"types", "base.cairn", "--top"}, "usage.missing_value", "--top needs a value"},
    {{"types", "base.cairn", "--top", "0"}, "usage.bad_value", "--top takes a whole number of at least 1, not '0'"},
    {{"types", "base.cairn", "--top", "3.5"}, "usage.bad_value", "not '3.5'"},
    {{"types", "base.cairn", "--top", "99999999999999999999"}, "usage.bad_value", "--top takes a whole number"},
    {{"types", "base.cairn", "--by", "colour"},
     "usage.bad_value",
     "--by takes type, namespace, module or generation, not 'colour'"},
    {{"types", "base.cairn", "--sort", "colour"},
     "usage.bad_value",
     "--sort takes retained, bytes or objects, not 'colour'"},
    {{"types", "base.cairn", "/(/"},
     "usage.bad_pattern",
     "/(/ is not a regular expression that can be used, at character 2: "},
    {{"types", "base.cairn", "//"}, "usage.empty_pattern", "the type pattern is empty"},
    {{"types", "base.cairn", "A", "--filter", "B"}, "usage.conflict", "PATTERN and --filter say the same"},
    {{"objects", "base.cairn", "--generation", "gen9"},
     "usage.bad_value",
     "--generation takes gen0, gen1, gen2, loh, poh or frozen"},
    {{"objects", "base.cairn", "@x"}, "usage.bad_object", "'@x' names no object"},
    {{"objects", "base.cairn", "@1", "--type", "A"}, "usage.conflict", "objects are named, or chosen"},
    {{"objects", "base.cairn", "@1", "--unreachable"}, "usage.conflict", "objects are named, or chosen"},
    {{"objects", "base.cairn", "--no-retained", "--sort", "retained"}, "usage.conflict", "--no-retained leaves"},
    {{"objects", "base.cairn", "--no-retained", "--unreachable"}, "usage.conflict", "--no-retained leaves"},
    {{"types", "base.cairn", "--no-retained", "--sort", "retained"}, "usage.conflict", "--no-retained leaves"},
    {{"diff", "base.cairn", "head.cairn", "--no-retained", "--sort", "retained"},
     "usage.conflict",
     "--no-retained leaves"},
    {{"diff", "base.cairn", "head.cairn", "--by", "path", "--sort", "bytes"},
     "usage.conflict",
     "--by path has an order of its own"},
    {{"diff", "base.cairn", "head.cairn", "--by", "colour"}, "usage.bad_value", "--by takes type, namespace or path"},
    {{"suspects"}, "usage.missing_argument", "suspects needs FILE"},
    {{"object", "base.cairn"}, "usage.missing_argument", "object needs OBJECT"},
    {{"object", "base.cairn", "x"}, "usage.bad_object", "'x' names no object"},
    {{"object", "base.cairn", "1", "--table", "x"}, "usage.bad_value", "--table takes fields or referrers"},
    {{"path", "base.cairn"}, "usage.missing_argument", "path needs an object or a type"},
    {{"path", "base.cairn", "--object", "1", "--type", "A"}, "usage.conflict", "ask for different things"},
    {{"path", "base.cairn", "--type", "A", "--all", "--limit", "3"}, "usage.conflict", "--all and --limit"},
    {{"path", "base.cairn", "@x"}, "usage.bad_object", "'@x' names no object"},
    {{"path", "base.cairn", "@1", "--type", "A"}, "usage.conflict", "OBJECT or PATTERN and --object or --type"},
    {{"path", "base.cairn", "--object", "@"}, "usage.bad_object", "'@' names no object"},
    {{"path", "base.cairn", "--type", "/(/"},
     "usage.bad_pattern",
     "/(/ is not a regular expression that can be used, at character 2: "},
    {{"waste"}, "usage.missing_argument", "waste needs FILE"},
    {{"heap"}, "usage.missing_argument", "heap needs FILE"},
    {{"contexts"}, "usage.missing_argument", "contexts needs FILE"},
    {{"export", "base.cairn", "-o", "x"}, "usage.missing_argument", "export needs --to"},
    {{"export", "base.cairn", "--to", "csv"}, "usage.missing_argument", "export needs --output"},
    {{"export", "base.cairn", "--to", "png"}, "usage.bad_value", "--to takes gcdump, heapsnapshot or csv"},
    {{"import", "a.gcdump"}, "usage.missing_argument", "import needs --output"},
    {{"roots", "base.cairn", "--kind", "stack"}, "usage.bad_value", "--kind takes static, thread-static, local"},
    {{"dominators", "base.cairn", "--of", "x"}, "usage.bad_object", "'x' names no object"},
    {{"capture"}, "usage.no_target", "capture needs a process"},
    {{"capture", "abc"}, "usage.bad_pid", "'abc' is not a process id"},
    {{"capture", "-p", "0"}, "usage.bad_pid", "'0' is not a process id"},
    {{"capture", "1", "-n", "Shop"}, "usage.several_targets", "capture takes one process, named once"},
    {{"capture", "1", "--gc", "sometimes"}, "usage.bad_value", "--gc takes young or full, not 'sometimes'"},
    {{"capture", "1", "--method", "magic"}, "usage.bad_value", "--method takes auto, pause or fork"},
    {{"capture", "1", "--strings", "some"}, "usage.bad_value", "--strings takes none, hash or all"},
    {{"capture", "1", "--self-check", "none"}, "usage.bad_value", "--self-check takes sample or full"},
    {{"capture", "1", "--runtime", "last"}, "usage.bad_value", "--runtime takes first, one=VERSION or many"},
    {{"capture", "1", "--runtime", "one="}, "usage.bad_value", "--runtime takes first, one=VERSION or many"},
    {{"capture", "1", "--max-pause", "soon"}, "usage.bad_duration", "--max-pause takes a duration: 'soon'"},
    {{"capture", "1", "--max-pause", "0"}, "usage.bad_value", "--max-pause takes from 1 ms"},
    {{"capture", "1", "--timeout", "0"}, "usage.bad_value", "--timeout takes a duration above zero"},
    {{"capture", "1", "-o", ""}, "usage.bad_value", "--output is empty"},
    {{"doctor"}, "usage.no_target", "doctor needs a process"},
    {{"doctor", "--env"}, "usage.missing_argument", "doctor --env needs a command"},
    {{"doctor", "1", "--env", "--", "true"}, "usage.conflict", "--env looks at a command"},
    {{"doctor", "--", "true"}, "usage.conflict", "needs --env"},
    {{"detach"}, "usage.no_target", "detach needs a process"},
    {{"log"}, "usage.no_target", "log needs a process"},
    {{"log", "1", "--events", "gcs"}, "usage.bad_value", "--events does not know 'gcs'"},
    {{"log", "1", "--buffer", "much"}, "usage.bad_size", "much"},
    {{"log", "--run"}, "usage.missing_argument", "log --run needs a command"},
    {{"log", "1", "--run", "--", "true"}, "usage.conflict", "log takes a process, or --run"},
    {{"trace", "--run", "--method", "Shop.Order.Save"}, "usage.missing_argument", "trace --run needs a command"},
    {{"trace", "1", "--run", "--method", "Shop.Order.Save", "--", "true"},
     "usage.conflict",
     "trace takes a process, or --run"},
    {{"trace", "--run", "--list", "--method", "Shop.Order.Save", "--", "true"}, "usage.conflict", "--list and --undo"},
    {{"ids", "1", "--kind", "modules"}, "usage.bad_value", "--kind does not know 'modules'"},
    {{"ids", "1", "zero"}, "usage.bad_value", "'zero' is not an ID"},
    {{"clean", "now"}, "usage.unexpected_argument", "clean has no use for 'now'"},
};

TEST(Usage, RowsOfATraceAreItsLines) {
  for (const char* without_lines : {"--summary", "--list"}) {
    const Outcome outcome =
        RunCairn({"trace", "1", "--method", "Shop.Order.Save", "--yes", without_lines, "--csv"}, Samples().Folder());
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--csv has one row for each line, and here are none"));
  }
}

TEST(Usage, EveryWrongUseHasItsSentence) {
  for (const Case& wrong : kWrongUse) ExpectError(wrong, 2);
}

TEST(Usage, JsonAndCsvExcludeEachOther) {
  const Outcome outcome = RunCairn({"types", "base.cairn", "--csv", "--json"}, Samples().Folder());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(json::parse(outcome.out)["error"]["code"], "usage.conflict");
}

TEST(Usage, AllocationsSaysWhatItTakes) {
  ExpectError({{"allocations"}, "usage.no_target", "allocations needs a process"}, 2);
  ExpectError({{"allocations", "1", "--by", "thread"}, "usage.bad_value", "--by"}, 2);
  ExpectError({{"allocations", "1", "--depth", "33"}, "usage.bad_value", "--depth takes at most 32"}, 2);
  ExpectError({{"allocations", "1", "--max-overhead", "101"}, "usage.bad_value", "at most 100"}, 2);
  ExpectError({{"allocations", "1", "--exact"}, "allocations.exact", "from the start of a process"}, 2);
  ExpectError({{"allocations", "--exact"}, "allocations.exact", "from the start of a process"}, 2);
  ExpectError({{"allocations", "--run"}, "usage.missing_argument", "needs a command to start"}, 2);
  ExpectError({{"allocations", "1", "--run", "--", "true"}, "usage.conflict", "a process, or --run"}, 2);
  ExpectError({{"allocations", "1", "--", "true"}, "usage.conflict", "a process, or --run"}, 2);
  ExpectError({{"allocations", "--run", "--exact", "--max-overhead", "1", "--", "true"}, "usage.conflict", "--exact"},
              2);
  ExpectError({{"capture", "1", "--duration", "5s"}, "usage.conflict", "--duration belongs to --allocations"}, 2);
  ExpectError({{"watch", "1", "--track", "--allocations"}, "usage.conflict", "cannot be had together"}, 2);
}

TEST(Usage, ViewNeedsADisplay) {
  unsetenv("DISPLAY");
  ExpectError({{"view", "base.cairn"}, "view.no_display", "there is no display"}, 3);
  ExpectError({{"view", "base.cairn", "--at", "tipes"}, "usage.bad_place", "there is no view 'tipes'"}, 2);
  ExpectError({{"view", "--at", "types"}, "usage.bad_place", "needs a file"}, 2);
}

TEST(Usage, HelpListsWhatWorks) {
  const Outcome help = RunCairn({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* name : {"ps",   "doctor",   "capture", "watch",  "run",      "detach", "clean",
                           "info", "types",    "objects", "object", "path",     "roots",  "dominators",
                           "heap", "contexts", "waste",   "diff",   "suspects", "export", "import"})
    EXPECT_THAT(help.out, HasSubstr(std::string("\n  ") + name + " "));
  EXPECT_EQ(RunCairn({}).out, help.out);
  EXPECT_EQ(RunCairn({"-h"}).out, help.out);
}

TEST(Usage, Version) {
  const Outcome version = RunCairn({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, ::testing::MatchesRegex("cairn [0-9.]+\n"));
}

TEST(Usage, HelpWinsOverWhatIsMissing) {
  const Outcome help = RunCairn({"types", "-h"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("Example:\n  cairn types"));
}

TEST(Usage, HelpOfViewSaysWithWhatTheWindowBegins) {
  const Outcome help = RunCairn({"view", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("Without FILE the tabs of last time come back"));
}

TEST(Usage, LastOfRepeatedOptionsCounts) {
  const Outcome outcome = RunCairn({"types", "base.cairn", "--top", "1", "--top=2", "--csv"}, Samples().Folder());
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 3);  // the header and two rows
}

}  // namespace
}  // namespace cairn::cli::testing
