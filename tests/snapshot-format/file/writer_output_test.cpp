// Where the writer puts what, and what it leaves when it fails.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "tests/snapshot-format/file/snapshot_cases.h"

namespace cairn::snapshot::testing {
namespace {

using WriterOutputTest = SnapshotFileTest;
using Names = std::vector<std::string>;

Names Sorted(Names names) {
  std::ranges::sort(names);
  return names;
}

TEST_F(WriterOutputTest, IsPrivateAndUnderItsFinalNameOnlyWhenFinished) {
  auto writer = SnapshotWriter::Create(path_, {});
  ASSERT_TRUE(writer);
  EXPECT_EQ(folder_.Names(), Names{"test.cairn.partial"});
  struct stat status = {};
  ASSERT_EQ(stat((path_ + ".partial").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  ASSERT_TRUE((*writer)->Finish({}));
  EXPECT_EQ(folder_.Names(), Names{"test.cairn"});
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  writer->reset();
  EXPECT_EQ(folder_.Names(), Names{"test.cairn"});
}

TEST_F(WriterOutputTest, DestroyedEarlyItLeavesNothing) {
  auto writer = SnapshotWriter::Create(path_, {});
  ASSERT_TRUE(writer);
  writer->reset();
  EXPECT_EQ(folder_.Names(), Names());
}

TEST_F(WriterOutputTest, ExistingFileIsRefused) {
  WriteAll(path_, {1, 2, 3});
  const auto writer = SnapshotWriter::Create(path_, {});
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(writer.error().code, "output.exists");
  EXPECT_EQ(ReadAll(path_), (std::vector<uint8_t>{1, 2, 3}));
  EXPECT_EQ(folder_.Names(), Names{"test.cairn"});
}

TEST_F(WriterOutputTest, DanglingLinkCountsAsExisting) {
  std::filesystem::create_symlink(folder_.File("nowhere"), path_);
  const auto writer = SnapshotWriter::Create(path_, {});
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, "output.exists");
}

TEST_F(WriterOutputTest, FileThatAppearsMeanwhileIsNotReplaced) {
  auto writer = SnapshotWriter::Create(path_, {});
  ASSERT_TRUE(writer);
  WriteAll(path_, {1, 2, 3});
  const auto finished = (*writer)->Finish({});
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, "output.exists");
  writer->reset();
  EXPECT_EQ(ReadAll(path_), (std::vector<uint8_t>{1, 2, 3}));
  EXPECT_EQ(folder_.Names(), Names{"test.cairn"});
}

TEST_F(WriterOutputTest, ReplacesWhenAskedTo) {
  WriteAll(path_, {1, 2, 3});
  auto writer = SnapshotWriter::Create(path_, {.overwrite = true, .vfs = ""});
  ASSERT_TRUE(writer);
  EXPECT_EQ(ReadAll(path_), (std::vector<uint8_t>{1, 2, 3}));  // until it is finished
  ASSERT_TRUE((*writer)->Finish({}));
  EXPECT_NE(Open(), nullptr);
}

TEST_F(WriterOutputTest, LeftoverOfADeadWriterIsReplaced) {
  WriteAll(path_ + ".partial", std::vector<uint8_t>(100000, 0xEE));
  WriteFull();
  EXPECT_FALSE(ContentOf(path_).starts_with("error"));
  EXPECT_EQ(folder_.Names(), Names{"test.cairn"});
}

TEST_F(WriterOutputTest, WorkOfALivingWriterIsLeftAlone) {
  auto first = SnapshotWriter::Create(path_, {});
  ASSERT_TRUE(first);
  const auto second = SnapshotWriter::Create(path_, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, "output.unwritable");
  EXPECT_EQ(second.error().message, path_ + ".partial is being written by another cairn");
  ASSERT_TRUE((*first)->Finish({}));
  EXPECT_NE(Open(), nullptr);
}

TEST_F(WriterOutputTest, LeftoversOfDeadWritersBesideAreRemoved) {
  auto living = SnapshotWriter::Create(folder_.File("living.cairn"), {});
  ASSERT_TRUE(living);
  WriteAll(folder_.File("dead.cairn.partial"), {1, 2, 3});
  WriteAll(folder_.File("other.partial"), {1, 2, 3});  // of another program
  std::filesystem::create_symlink(folder_.File("other.partial"), folder_.File("link.cairn.partial"));
  WriteFull();
  EXPECT_EQ(Sorted(folder_.Names()),
            (Names{"link.cairn.partial", "living.cairn.partial", "other.partial", "test.cairn"}));
}

TEST_F(WriterOutputTest, AnIncompleteSnapshotGoesBesideACompleteOne) {
  Summary complete, incomplete;
  complete.complete = true;
  incomplete.complete = false;
  const auto write = [&](const Summary& summary) {
    auto writer = SnapshotWriter::Create(path_, {.overwrite = true, .vfs = ""});
    EXPECT_TRUE(writer);
    const std::string chosen = (*writer)->ChoosePath(summary.complete);
    EXPECT_TRUE((*writer)->Finish(summary));
    return chosen;
  };
  EXPECT_EQ(write(incomplete), path_);  // nothing is there
  EXPECT_EQ(write(incomplete), path_);  // nothing complete is there
  EXPECT_EQ(write(complete), path_);
  const std::vector<uint8_t> kept = ReadAll(path_);
  EXPECT_EQ(write(incomplete), folder_.File("test.incomplete.cairn"));
  EXPECT_EQ(ReadAll(path_), kept);
  EXPECT_FALSE((*SnapshotReader::Open(folder_.File("test.incomplete.cairn")))->Summary().complete);
  EXPECT_EQ(write(incomplete), folder_.File("test.incomplete.cairn"));
  EXPECT_EQ(write(complete), path_);
  EXPECT_EQ(Sorted(folder_.Names()), (Names{"test.cairn", "test.incomplete.cairn"}));
}

TEST_F(WriterOutputTest, LinkInPlaceOfThePartialFileIsNotFollowed) {
  WriteAll(folder_.File("victim"), {1, 2, 3});
  std::filesystem::create_symlink(folder_.File("victim"), path_ + ".partial");
  const auto writer = SnapshotWriter::Create(path_, {});
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, "output.unwritable");
  EXPECT_EQ(ReadAll(folder_.File("victim")), (std::vector<uint8_t>{1, 2, 3}));
}

TEST_F(WriterOutputTest, FolderThatIsNotThere) {
  const auto writer = SnapshotWriter::Create(folder_.File("no") + "/x.cairn", {});
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().kind, ErrorKind::kFailed);
  EXPECT_EQ(writer.error().code, "output.unwritable");
}

TEST_F(WriterOutputTest, FolderOrDeviceIsNotReplaced) {
  std::filesystem::create_directory(path_);
  const auto folder = SnapshotWriter::Create(path_, {.overwrite = true, .vfs = ""});
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, "output.unwritable");
  ASSERT_EQ(mkfifo(folder_.File("pipe").c_str(), 0600), 0);
  const auto pipe = SnapshotWriter::Create(folder_.File("pipe"), {.overwrite = true, .vfs = ""});
  ASSERT_FALSE(pipe);
  EXPECT_EQ(pipe.error().message, folder_.File("pipe") + " is no file and will not be replaced");
}

TEST_F(WriterOutputTest, AfterAnErrorNothingIsPublished) {
  auto writer = SnapshotWriter::Create(path_, {});
  Summary wrong;
  wrong.types.emplace_back().layout.fixed_slots = 1;
  const auto first = (*writer)->Finish(wrong);
  ASSERT_FALSE(first);
  const auto second = (*writer)->Finish({});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, first.error().message);
}

TEST_F(WriterOutputTest, NothingMayFollowFinish) {
  auto writer = SnapshotWriter::Create(path_, {});
  ASSERT_TRUE((*writer)->Finish({}));
  EXPECT_FALSE((*writer)->AddChunk({}, {}));
  EXPECT_FALSE((*writer)->Finish({}));
  EXPECT_NE(Open(), nullptr);
}

TEST_F(WriterOutputTest, NoName) {
  const auto writer = SnapshotWriter::Create("", {});
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().kind, ErrorKind::kUsage);
}

TEST_F(WriterOutputTest, ImpossibleInputIsRefused) {
  const std::vector<uint8_t> frame(10);
  const StoredColumn too_large{stream::ColumnKind::kTypes, (8u << 20) + 1, frame};
  const StoredColumn unknown{static_cast<stream::ColumnKind>(8), 1, frame};
  const StoredColumn twice[] = {{stream::ColumnKind::kTypes, 1, frame}, {stream::ColumnKind::kTypes, 1, frame}};
  const auto code = [&](std::span<const StoredColumn> columns) {
    auto writer = SnapshotWriter::Create(path_, {});
    return (*writer)->AddChunk({}, columns).error().code;
  };
  EXPECT_EQ(code(std::span(&too_large, 1)), "output.invalid");
  EXPECT_EQ(code(std::span(&unknown, 1)), "output.invalid");
  EXPECT_EQ(code(twice), "output.invalid");
  auto writer = SnapshotWriter::Create(path_, {});
  Summary summary;
  summary.types.emplace_back().layout.fixed_slots = 1;  // and no offset
  EXPECT_EQ((*writer)->Finish(summary).error().code, "output.invalid");
  writer->reset();
  EXPECT_EQ(folder_.Names(), Names());
}

TEST_F(WriterOutputTest, FieldsOfATypeThatIsNotThereAreRefused) {
  auto writer = SnapshotWriter::Create(path_, {});
  const Field field{.name = "x", .offset = 8, .type = "T"};
  ASSERT_TRUE((*writer)->AddFields(0, std::span(&field, 1)));
  EXPECT_FALSE((*writer)->AddFields(0, std::span(&field, 1)));  // each type once
  EXPECT_FALSE((*writer)->Finish({}));
}

}  // namespace
}  // namespace cairn::snapshot::testing
