// What cairn-desktop makes of its arguments, before there is a window.

#include "viewer/ui/start_arguments.h"

#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

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

}  // namespace
}  // namespace cairn::ui
