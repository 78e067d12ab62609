#include "viewer/cli/file_output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::cli {
namespace {

using snapshot::testing::ReadAll;
using snapshot::testing::TemporaryFolder;

std::string TextOf(const std::string& path) {
  const std::vector<uint8_t> bytes = ReadAll(path);
  return {bytes.begin(), bytes.end()};
}

TEST(WriteWholeFile, ReplacesAFile) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteWholeFile(folder.File("a"), "first and long"));
  ASSERT_TRUE(WriteWholeFile(folder.File("a"), "second"));
  EXPECT_EQ(TextOf(folder.File("a")), "second");
  EXPECT_EQ(folder.Names().size(), 1u);
}

TEST(WriteWholeFile, ALinkStaysOne) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteWholeFile(folder.File("a"), "first"));
  std::filesystem::create_symlink("a", folder.File("link"));
  ASSERT_TRUE(WriteWholeFile(folder.File("link"), "second"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.File("link")));
  EXPECT_EQ(TextOf(folder.File("a")), "second");
}

TEST(WriteWholeFile, APipeStaysOne) {
  const TemporaryFolder folder;
  const std::string pipe = folder.File("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_TRUE(WriteWholeFile(pipe, "text"));
  char text[8] = {};
  EXPECT_EQ(read(reader, text, sizeof text), 4);
  close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(CheckWritable, LeavesWhatIsThereAndNothingElse) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteWholeFile(folder.File("a"), "kept"));
  EXPECT_TRUE(CheckWritable(folder.File("a")));
  EXPECT_TRUE(CheckWritable(folder.File("new")));
  EXPECT_EQ(TextOf(folder.File("a")), "kept");
  EXPECT_EQ(folder.Names().size(), 1u);
  EXPECT_FALSE(CheckWritable(folder.File("none/a")));
  std::filesystem::create_directory(folder.File("folder"));
  EXPECT_FALSE(CheckWritable(folder.File("folder")));
}

TEST(OpenForLines, LeavesWhatIsThereUntilThereIsSomethingElse) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteWholeFile(folder.File("a"), "earlier"));
  EXPECT_EQ(OpenForLines(folder.File("a"), false).error().code, "output.exists");
  const auto file = OpenForLines(folder.File("a"), true);
  ASSERT_TRUE(file);
  EXPECT_EQ(TextOf(folder.File("a")), "earlier");
  EmptyBeforeWriting(*file);
  EXPECT_EQ(TextOf(folder.File("a")), "");
  close(*file);
}

TEST(OpenForLines, FollowsNoLinkAndIsForItsOwner) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteWholeFile(folder.File("a"), "kept"));
  std::filesystem::create_symlink("a", folder.File("link"));
  EXPECT_EQ(OpenForLines(folder.File("link"), true).error().code, "output.unwritable");
  EXPECT_EQ(TextOf(folder.File("a")), "kept");
  const auto file = OpenForLines(folder.File("new"), false);
  ASSERT_TRUE(file);
  struct stat status = {};
  ASSERT_EQ(fstat(*file, &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  close(*file);
  EXPECT_TRUE(OpenForLines("/dev/null", true)) << "open as long as the test is";
}

TEST(ClearForWriting, TakesAwayAFileAndEmptiesWhatALinkLeadsTo) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteWholeFile(folder.File("a"), "earlier"));
  std::filesystem::create_symlink("a", folder.File("link"));
  EXPECT_TRUE(ClearForWriting(folder.File("link")));
  EXPECT_EQ(TextOf(folder.File("a")), "");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.File("link")));
  EXPECT_TRUE(ClearForWriting(folder.File("a")));
  EXPECT_FALSE(std::filesystem::exists(folder.File("a")));
}

}  // namespace
}  // namespace cairn::cli
