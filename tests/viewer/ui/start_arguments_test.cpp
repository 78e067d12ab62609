// What cairn-desktop makes of its arguments, before there is a window.

#include "viewer/ui/start_arguments.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "snapshot-format/testing/snapshot_builder.h"

namespace cairn::ui {
namespace {

using presentation::Place;
using presentation::View;
using Words = std::vector<const char*>;
using Files = std::vector<std::string>;

TEST(StartArguments, FilesAndAPlace) {
  const auto arguments = ParseStartArguments(Words{"a.cairn", "--at", "types", "b.cairn"});
  ASSERT_TRUE(arguments);
  EXPECT_FALSE(arguments->help);
  EXPECT_EQ(arguments->at, "types");
  EXPECT_EQ(arguments->files, (Files{"a.cairn", "b.cairn"}));
}

TEST(StartArguments, HelpIsNoFile) {
  for (const char* word : {"--help", "-h"}) {
    const auto arguments = ParseStartArguments(Words{word});
    ASSERT_TRUE(arguments) << word;
    EXPECT_TRUE(arguments->help) << word;
    EXPECT_EQ(arguments->files, Files{}) << word;
  }
}

TEST(StartArguments, AnUnknownOptionIsAWrongUse) {
  const std::pair<Words, const char*> cases[] = {{{"--nonsense"}, "usage.unknown_option"},
                                                 {{"a.cairn", "-x"}, "usage.unknown_option"},
                                                 {{"--at"}, "usage.missing_argument"}};
  for (const auto& [words, code] : cases) {
    const auto arguments = ParseStartArguments(words);
    ASSERT_FALSE(arguments) << words.back();
    EXPECT_EQ(arguments.error().kind, ErrorKind::kUsage) << words.back();
    EXPECT_EQ(arguments.error().code, code) << words.back();
  }
}

TEST(StartArguments, BehindTwoDashesAreFilesOnly) {
  const auto arguments = ParseStartArguments(Words{"--", "--help", "--at", "-"});
  ASSERT_TRUE(arguments);
  EXPECT_FALSE(arguments->help);
  EXPECT_EQ(arguments->files, (Files{"--help", "--at", "-"}));
}

TEST(StartArguments, SeveralFilesAreAlsoComparedTheEarliestFirst) {
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("cairn-start-" + std::to_string(getpid()))).string();
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& name, const std::string& captured_at) {
    snapshot::testing::SnapshotBuilder builder;
    builder.Object("", builder.Class("Node"));
    builder.BeforeFinish([&](snapshot::Summary& summary) { summary.capture.captured_at = captured_at; });
    if (!builder.Write(folder + "/" + name)) ADD_FAILURE() << name;
    return folder + "/" + name;
  };
  const std::string after = write("after.cairn", "2026-01-02T03:04:06Z");
  const std::string before = write("before.cairn", "2026-01-02T03:04:05Z");
  const auto places = StartPlaces({.files = {after, before}});
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(places);
  EXPECT_EQ(*places, (std::vector<Place>{Place::Of(View::kOverview, after),
                                         Place::Of(View::kOverview, before),
                                         {.view = View::kDiff, .files = {before, after}}}));
}

TEST(StartArguments, OneFileOrAPlaceIsAllThatOpens) {
  EXPECT_EQ(StartPlaces({.files = {"a.cairn"}}), (std::vector<Place>{Place::Of(View::kOverview, "a.cairn")}));
  // Files whose time is not known stay as they are given.
  EXPECT_EQ(StartPlaces({.at = "diff", .files = {"b.cairn", "a.cairn"}}),
            (std::vector<Place>{{.view = View::kDiff, .files = {"b.cairn", "a.cairn"}}}));
  EXPECT_EQ(StartPlaces({.files = {"b.cairn", "a.cairn"}})->back().files, (Files{"b.cairn", "a.cairn"}));
  EXPECT_EQ(StartPlaces({}), std::vector<Place>());
}

}  // namespace
}  // namespace cairn::ui
