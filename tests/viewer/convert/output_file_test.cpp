#include "viewer/convert/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>

#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::convert {
namespace {

using snapshot::testing::ReadAll;
using snapshot::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(OutputFile, IsThereWhenItIsFinished) {
  TemporaryFolder folder;
  auto file = OutputFile::Create(folder.File("a"), false);
  ASSERT_TRUE(file);
  (*file)->Write("hello");
  EXPECT_THAT(folder.Names(), ElementsAre("a.partial"));
  EXPECT_EQ((*file)->Written(), 5u);
  ASSERT_TRUE((*file)->Finish());
  EXPECT_THAT(folder.Names(), ElementsAre("a"));
  EXPECT_THAT(ReadAll(folder.File("a")), ElementsAre('h', 'e', 'l', 'l', 'o'));
  struct stat status {};
  ASSERT_EQ(stat(folder.File("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(OutputFile, LeavesNothingBehindUnfinished) {
  TemporaryFolder folder;
  {
    auto file = OutputFile::Create(folder.File("a"), false);
    ASSERT_TRUE(file);
    (*file)->Write("hello");
  }
  EXPECT_THAT(folder.Names(), IsEmpty());
}

// Whoever made it might have it open, or more rights to it than its new owner wants.
TEST(OutputFile, WritesIntoNoFileThatIsThere) {
  TemporaryFolder folder;
  snapshot::testing::WriteAll(folder.File("a.partial"), {1, 2});
  std::filesystem::create_hard_link(folder.File("a.partial"), folder.File("b"));
  auto file = OutputFile::Create(folder.File("a"), false);
  ASSERT_TRUE(file);
  (*file)->Write("hello");
  ASSERT_TRUE((*file)->Finish());
  EXPECT_THAT(ReadAll(folder.File("b")), ElementsAre(1, 2));
  EXPECT_THAT(ReadAll(folder.File("a")), ElementsAre('h', 'e', 'l', 'l', 'o'));
}

TEST(OutputFile, ReplacesOnlyWhenAsked) {
  TemporaryFolder folder;
  snapshot::testing::WriteAll(folder.File("a"), {1});
  const auto refused = OutputFile::Create(folder.File("a"), false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "output.exists");
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  auto file = OutputFile::Create(folder.File("a"), true);
  ASSERT_TRUE(file);
  EXPECT_THAT(ReadAll(folder.File("a")), ElementsAre(1));  // until it is finished
  ASSERT_TRUE((*file)->Finish());
  EXPECT_THAT(ReadAll(folder.File("a")), IsEmpty());
}

TEST(OutputFile, FoldersThatAreNotThere) {
  const auto nowhere = OutputFile::Create("/nowhere/a", false);
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, "output.unwritable");
}

}  // namespace
}  // namespace cairn::convert
