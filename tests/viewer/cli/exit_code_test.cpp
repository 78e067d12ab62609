// Files and streams that are not what they should be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/viewer/cli/cairn_program.h"
#include "tests/viewer/cli/sample_snapshots.h"
#include "tests/viewer/cli/schema_check.h"

namespace cairn::cli::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void ExpectRefused(const std::string& file, int exit_code, const std::string& code) {
  const std::vector<std::vector<std::string>> commands = {{"info", file},
                                                          {"info", file, "--verify"},
                                                          {"types", file},
                                                          {"objects", file},
                                                          {"diff", "base.cairn", file},
                                                          {"object", file, "0"},
                                                          {"path", file, "--type", "A"},
                                                          {"roots", file},
                                                          {"dominators", file},
                                                          {"heap", file},
                                                          {"contexts", file},
                                                          {"waste", file},
                                                          {"export", file, "--to", "csv", "-o", "never.csv"},
                                                          {"suspects", file}};
  for (std::vector<std::string> command : commands) {
    const Outcome text = RunCairn(command, Samples().Folder());
    EXPECT_EQ(text.code, exit_code) << file;
    EXPECT_THAT(text.out, IsEmpty());
    EXPECT_THAT(text.err, HasSubstr(file));
    command.push_back("--json");
    const Outcome outcome = RunCairn(command, Samples().Folder());
    EXPECT_EQ(outcome.code, exit_code) << file;
    const json document = json::parse(outcome.out);
    EXPECT_THAT(SchemaViolations(LoadSchema("error"), document), IsEmpty());
    EXPECT_EQ(document["error"]["code"], code) << file;
  }
}

TEST(ExitCode, MissingFile) { ExpectRefused("nowhere.cairn", 3, "snapshot.missing"); }

TEST(ExitCode, CutFiles) {
  Samples().WriteCut("cut.cairn", 100'000);
  Samples().WriteCut("stump.cairn", 1'000);
  ExpectRefused("cut.cairn", 4, "snapshot.damaged");
  ExpectRefused("stump.cairn", 4, "snapshot.damaged");
}

TEST(ExitCode, FilesOfOtherPrograms) {
  Samples().WriteText("hello.cairn", "hello, world\n");
  Samples().WriteText("empty.cairn", "");
  ExpectRefused("hello.cairn", 4, "snapshot.not_cairn");
  ExpectRefused("empty.cairn", 4, "snapshot.not_cairn");
}

TEST(ExitCode, NewerVersion) {
  Samples().WriteChanged("newer.cairn", 60, std::string("\0\0\x03\xE7", 4));  // user_version 999
  ExpectRefused("newer.cairn", 4, "snapshot.newer_version");
}

// One rule for all commands: a folder where a file is to be is wrong usage, one that is not there a failure.
TEST(ExitCode, WhereOutputCannotGo) {
  Samples().WriteText("place.toml", "[[limit]]\ntype = \"Shop.Order\"\nmax_objects = 1000\n");
  std::filesystem::create_directories(Samples().Path("place"));
  const auto to = [](const std::string& path) {
    return std::vector<std::vector<std::string>>{
        {"log", "1", "-o", path},
        {"export", "base.cairn", "--to", "csv", "-o", path},
        {"import", "base.gcdump", "-o", path},
        {"check", "base.cairn", "--rules", "place.toml", "--report", "html=" + path},
        {"check", "base.cairn", "--rules", "place.toml", "--write-baseline", path},
        {"allocations", "1", "-o", path},
        {"allocations", "1", "--html", path},
        {"allocations", "1", "--folded", path}};
  };
  const auto expect = [](std::vector<std::string> command, int code, const std::string& error) {
    command.push_back("--json");
    const Outcome outcome = RunCairn(command, Samples().Folder());
    EXPECT_EQ(outcome.code, code) << command[0] << ' ' << command[2];
    EXPECT_EQ(json::parse(outcome.out)["error"]["code"], error) << command[0];
  };
  for (const auto& command : to("place")) expect(command, 2, "output.exists");
  for (const auto& command : to("nowhere/file")) expect(command, 3, "output.no_folder");
}

TEST(ExitCode, DamagedChunkGivesWhatCouldBeRead) {
  Samples().WriteWithDamagedChunk("chunk.cairn");
  const Outcome outcome = RunCairn({"objects", "chunk.cairn", "--sort", "address", "--json"}, Samples().Folder());
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  const json document = json::parse(outcome.out);
  EXPECT_THAT(SchemaViolations(LoadSchema("objects"), document), IsEmpty());
  EXPECT_EQ(document["objects"].size(), 65'536u);  // the first chunk
  EXPECT_EQ(document["complete"], false);
  EXPECT_EQ(document["problems"][0]["code"], "snapshot.damaged");
  const Outcome text = RunCairn({"objects", "chunk.cairn"}, Samples().Folder());
  EXPECT_EQ(text.code, 4);
  EXPECT_THAT(text.out, HasSubstr("DAMAGED: "));
  const Outcome csv = RunCairn({"objects", "chunk.cairn", "--csv"}, Samples().Folder());
  EXPECT_EQ(csv.code, 4);
  EXPECT_THAT(csv.err, HasSubstr("DAMAGED: "));
}

TEST(ExitCode, DamagedChunkLeavesTheSummary) {
  Samples().WriteWithDamagedChunk("chunk.cairn");
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"types", "chunk.cairn", "--json"}, {"diff", "chunk.cairn", "chunk.cairn", "--all", "--json"}}) {
    const Outcome outcome = RunCairn(command, Samples().Folder());
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    const json document = json::parse(outcome.out);
    EXPECT_THAT(SchemaViolations(LoadSchema(command[0]), document), IsEmpty());
    EXPECT_EQ(document["complete"], false);
    EXPECT_EQ(document["problems"][0]["code"], "snapshot.damaged");
    ASSERT_EQ(document["types"].size(), 1u);
    EXPECT_EQ(document["types"][0]["type"], "Node");
  }
  EXPECT_THAT(RunCairn({"types", "chunk.cairn"}, Samples().Folder()).out, HasSubstr("DAMAGED: chunk.cairn"));
}

TEST(ExitCode, WhatNeedsEveryObjectIsRefusedOnADamagedChunk) {
  Samples().WriteWithDamagedChunk("chunk.cairn");
  for (const auto& command : std::vector<std::vector<std::string>>{{"object", "chunk.cairn", "0"},
                                                                   {"path", "chunk.cairn", "--type", "Node"},
                                                                   {"roots", "chunk.cairn"},
                                                                   {"dominators", "chunk.cairn"}}) {
    const Outcome outcome = RunCairn(command, Samples().Folder());
    EXPECT_EQ(outcome.code, 4) << command[0];
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST(ExitCode, VerifyFindsADamagedChunk) {
  Samples().WriteWithDamagedChunk("chunk.cairn");
  const Outcome outcome = RunCairn({"info", "chunk.cairn", "--verify", "--json"}, Samples().Folder());
  EXPECT_EQ(outcome.code, 4);
  EXPECT_FALSE(json::parse(outcome.out)["verified"]["errors"].empty());
}

TEST(ExitCode, IncompleteSnapshotIsPrintedAndLabelled) {
  for (const char* command : {"types", "objects", "info", "roots", "dominators"}) {
    const Outcome outcome = RunCairn({command, "odd.cairn"}, Samples().Folder());
    EXPECT_EQ(outcome.code, 4);
    EXPECT_THAT(outcome.out, HasSubstr("INCOMPLETE"));
  }
  const Outcome csv = RunCairn({"types", "odd.cairn", "--csv"}, Samples().Folder());
  EXPECT_EQ(csv.code, 4);
  EXPECT_THAT(csv.err, HasSubstr("INCOMPLETE"));
  EXPECT_THAT(csv.out, ::testing::StartsWith("type,"));
}

TEST(ExitCode, AnObjectThatIsNotThere) {
  for (const char* name : {"@9", "4294967296", "18446744073709551615", "0x7f0000001008"})
    for (const auto& command : std::vector<std::vector<std::string>>{{"objects", "base.cairn", name},
                                                                     {"objects", "base.cairn", name, "--no-retained"},
                                                                     {"object", "base.cairn", name},
                                                                     {"path", "base.cairn", "--object", name},
                                                                     {"dominators", "base.cairn", "--of", name}}) {
      std::vector<std::string> with_json = command;
      with_json.push_back("--json");
      const Outcome outcome = RunCairn(with_json, Samples().Folder());
      EXPECT_EQ(outcome.code, 3) << command[0] << name;
      EXPECT_EQ(json::parse(outcome.out)["error"]["code"], "object.missing") << command[0];
    }
}

TEST(ExitCode, AReaderThatLeavesIsNoError) {
  for (const char* form : {"--json", "--csv", "--verbose"}) {
    const Outcome outcome = RunCairn({"types", "base.cairn", form}, Samples().Folder(), StandardOutput::kClosedPipe);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, IsEmpty());
  }
}

TEST(ExitCode, AReaderThatLeavesEarlyEndsALongList) {
  Samples().WriteWithDamagedChunk("chunk.cairn");  // the damage behind object 65,535 is never reached
  const Outcome outcome = RunCairn({"objects", "chunk.cairn", "--sort", "address", "--csv", "--no-retained"},
                                   Samples().Folder(), StandardOutput::kClosedPipe);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST(ExitCode, AFullDiskIsAnError) {
  for (const char* form : {"--json", "--csv", "--verbose"}) {
    const Outcome outcome = RunCairn({"types", "base.cairn", form}, Samples().Folder(), StandardOutput::kFullDisk);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("the standard output could not be written"));
  }
}

TEST(ExitCode, WhatWasWrittenIsSaidWhereItCannotBePrinted) {
  for (const auto output : {StandardOutput::kClosed, StandardOutput::kFullDisk}) {
    const Outcome outcome =
        RunCairn({"export", "base.cairn", "--to", "csv", "-o", "told.csv", "--force"}, Samples().Folder(), output);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("told.csv was written; only what was to be printed is missing."));
    EXPECT_EQ(access(Samples().Path("told.csv").c_str(), F_OK), 0);
    EXPECT_EQ(RunCairn({"info", "base.cairn"}, Samples().Folder(), output).code, 3);
  }
}

TEST(ExitCode, AnErrorStaysWhatItWasWhereItCannotBePrinted) {
  const Outcome outcome = RunCairn({"types", "hello", "--json", "--frobnicate"}, ".", StandardOutput::kFullDisk);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("types has no option --frobnicate"));
}

TEST(ExitCode, BytesBehindASnapshotAreFound) {
  std::ifstream base(Samples().Path("base.cairn"), std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(base)), {});
  Samples().WriteText("longer.cairn", content + "tail");
  EXPECT_EQ(RunCairn({"info", "base.cairn", "--verify"}, Samples().Folder()).code, 0);
  const Outcome outcome = RunCairn({"info", "longer.cairn", "--verify", "--json"}, Samples().Folder());
  EXPECT_EQ(outcome.code, 4);
  EXPECT_EQ(json::parse(outcome.out)["verified"]["errors"],
            json::parse(R"(["the file goes on for 4 bytes behind the pages that its header counts"])"));
}

TEST(ExitCode, TooManyOpenFilesIsSaid) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"info", "base.cairn", "--json"},
                                                  {"ps", "--json"},
                                                  {"capture", std::to_string(getpid()), "--json"}}) {
    const Outcome outcome = RunCairn(command, Samples().Folder(), StandardOutput::kCaught, 10);
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    const json error = json::parse(outcome.out)["error"];
    EXPECT_EQ(error["code"], "system.descriptors");
    EXPECT_EQ(error["hint"], "Raise the limit of open files: ulimit -n.");
  }
}

TEST(ExitCode, ExportReplacesNoFileUnasked) {
  Samples().WriteText("there.csv", "mine\n");
  std::vector<std::string> command = {"export", "base.cairn", "--to", "csv", "-o", "there.csv"};
  EXPECT_EQ(RunCairn(command, Samples().Folder()).code, 2);
  std::ifstream there(Samples().Path("there.csv"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(there), {}), "mine\n");
  command.back() = "pipe";
  command.push_back("--force");
  ASSERT_EQ(mkfifo(Samples().Path("pipe").c_str(), 0600), 0);
  const Outcome outcome = RunCairn(command, Samples().Folder());
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("pipe is no file and will not be replaced."));
}

TEST(ExitCode, CaptureOfAProcessThatIsNotDotnet) {
  const Outcome outcome =
      RunCairn({"capture", std::to_string(getpid()), "--gc", "full", "--json", "-o", "none.cairn"}, Samples().Folder());
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  const json document = json::parse(outcome.out);
  EXPECT_THAT(SchemaViolations(LoadSchema("error"), document), IsEmpty());
  EXPECT_NE(access(Samples().Path("none.cairn").c_str(), F_OK), 0);
}

TEST(ExitCode, NothingToDetach) {
  const Outcome outcome = RunCairn({"detach", std::to_string(getpid()), "--json"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(SchemaViolations(LoadSchema("error"), json::parse(outcome.out)), IsEmpty());
}

}  // namespace
}  // namespace cairn::cli::testing
