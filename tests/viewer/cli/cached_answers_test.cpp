// Every command says the same, byte for byte, without a cache, while it is filled, and from it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/snapshot-format/temporary_folder.h"
#include "tests/viewer/cli/cairn_program.h"
#include "tests/viewer/cli/sample_snapshots.h"

namespace cairn::cli::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::vector<std::vector<std::string>> kCommands = {
    {"types"},
    {"types", "--by", "namespace"},
    {"types", "--by", "module"},
    {"types", "--by", "generation"},
    {"types", "Shop.*"},
    {"objects", "--type", "Shop"},
    {"objects", "--unreachable"},
    {"object", "@1"},
    {"path", "--type", "Shop.Order"},
    {"path", "--object", "@1"},
    {"roots"},
    {"roots", "--kind", "static"},
    {"dominators"},
    {"dominators", "--of", "@1"},
    {"suspects"},
    {"suspects", "--base", "base.cairn"},
    {"info"},
    {"heap"},
    {"contexts"},
    {"waste"},
    {"diff", "head.cairn"},
    {"diff", "head.cairn", "--by", "path"},
    {"diff", "head.cairn", "base.cairn", "--by", "namespace"},
    {"check", "--rules", "cached.toml", "--base", "base.cairn"},
    {"query", "SELECT * FROM objects"},
    {"query", "SELECT * FROM edges"},
    {"query", "SELECT * FROM types"},
};

class CachedAnswers : public ::testing::Test {
 protected:
  CachedAnswers() {
    setenv("XDG_CACHE_HOME", folder_.File("cache").c_str(), 1);
    setenv("CAIRN_CACHE_FROM", "0", 1);
  }
  ~CachedAnswers() override {
    for (const char* name : {"XDG_CACHE_HOME", "CAIRN_CACHE_FROM", "CAIRN_CACHE"}) unsetenv(name);
  }

  static Outcome RunOn(std::vector<std::string> command, const std::string& file, bool verbose = false) {
    command.insert(command.begin() + 1, file);
    command.push_back("--json");
    if (verbose) command.push_back("--verbose");
    return RunCairn(command, Samples().Folder());
  }
  std::string Results() const { return folder_.File("cache/cairn/results"); }

  const snapshot::testing::TemporaryFolder folder_;
};

TEST_F(CachedAnswers, AreTheSame) {
  Samples().WriteText("cached.toml",
                      "[[limit]]\ntype = \"Shop.*\"\nmax_objects = 1\nmax_retained = 10\n[[no_growth]]\n"
                      "[[held_only_by]]\nholder = \"static_collection\"\n[[collectible_contexts]]\n");
  for (const char* file : {"base.cairn", "head.cairn", "odd.cairn"})
    for (const auto& command : kCommands) {
      setenv("CAIRN_CACHE", "off", 1);
      const Outcome without = RunOn(command, file);
      unsetenv("CAIRN_CACHE");
      EXPECT_THAT(without.out, Not(IsEmpty())) << command[0];
      for (int round = 0; round < 2; ++round) {
        const Outcome with = RunOn(command, file);
        EXPECT_EQ(with.out, without.out) << command[0] << " " << file << " round " << round;
        EXPECT_EQ(with.code, without.code) << command[0] << " " << file;
        EXPECT_EQ(with.err, without.err) << command[0] << " " << file;
      }
    }
  EXPECT_FALSE(std::filesystem::is_empty(Results()));
}

TEST_F(CachedAnswers, ExportedFilesAreTheSame) {
  for (const char* format : {"gcdump", "heapsnapshot", "csv"}) {
    const auto exported = [&](const char* cache) {
      const std::string output = folder_.File(std::string("out.") + format);
      setenv("CAIRN_CACHE", cache, 1);
      const Outcome outcome =
          RunCairn({"export", "head.cairn", "--to", format, "-o", output, "--force"}, Samples().Folder());
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      return snapshot::testing::ReadAll(output);
    };
    const auto without = exported("off");
    EXPECT_THAT(without, Not(IsEmpty()));
    EXPECT_EQ(exported("1GiB"), without) << format;  // fills it …
    EXPECT_EQ(exported("1GiB"), without) << format;  // … and takes from it
  }
}

TEST_F(CachedAnswers, SettingsThatMeanNothingAreTold) {
  setenv("CAIRN_CACHE", "banana", 1);
  setenv("CAIRN_CACHE_FROM", "many", 1);
  const Outcome outcome = RunOn({"diff", "head.cairn"}, "base.cairn");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err,  // once, not for each of the two
            "cairn: CAIRN_CACHE takes off or a size such as 4GiB, not 'banana'; it is ignored\n"
            "cairn: CAIRN_CACHE_FROM takes a whole number, not 'many'; it is ignored\n");
}

TEST_F(CachedAnswers, VerboseSaysWhereTheyComeFrom) {
  EXPECT_THAT(RunOn({"types"}, "base.cairn", true).err, HasSubstr("kept in the cache: totals"));
  EXPECT_THAT(RunOn({"types"}, "base.cairn", true).err, HasSubstr("taken from the cache: totals"));
  for (const auto& entry : std::filesystem::directory_iterator(Results())) std::filesystem::resize_file(entry, 5000);
  EXPECT_THAT(RunOn({"types"}, "base.cairn", true).err, HasSubstr("not taken from the cache: "));
}

TEST_F(CachedAnswers, AFolderThatCannotBeMadeGoesWithoutAWord) {
  snapshot::testing::WriteAll(folder_.File("file"), {1});
  setenv("XDG_CACHE_HOME", folder_.File("file").c_str(), 1);
  const Outcome outcome = RunOn({"types"}, "base.cairn");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(RunOn({"types"}, "base.cairn", true).err, HasSubstr("not kept in the cache: "));
}

TEST_F(CachedAnswers, SmallSnapshotsLeaveNothing) {
  unsetenv("CAIRN_CACHE_FROM");
  EXPECT_EQ(RunOn({"types"}, "base.cairn").code, 0);
  EXPECT_FALSE(std::filesystem::exists(Results()));
}

}  // namespace
}  // namespace cairn::cli::testing
