// What is not a snapshot of this version, each with a sentence of its own.

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>

#include "tests/snapshot-format/file/snapshot_cases.h"

namespace cairn::snapshot::testing {
namespace {

class OtherFilesTest : public SnapshotFileTest {
 protected:
  void Expect(ErrorKind kind, const std::string& code, const std::string& message) {
    const Error error = OpenError();
    EXPECT_EQ(error.kind, kind);
    EXPECT_EQ(error.code, code);
    EXPECT_EQ(error.message, message);
    EXPECT_FALSE(error.hint.empty());
  }
  void Patch(size_t at, std::initializer_list<uint8_t> bytes) {
    std::vector<uint8_t> file = ReadAll(path_);
    std::copy(bytes.begin(), bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(at));
    WriteAll(path_, file);
  }
};

TEST_F(OtherFilesTest, Missing) {
  Expect(ErrorKind::kFailed, "snapshot.missing", "there is no file " + path_);
  path_ = folder_.File("a") + "/b.cairn";
  Expect(ErrorKind::kFailed, "snapshot.missing", "there is no file " + path_);
}

TEST_F(OtherFilesTest, Folder) {
  std::filesystem::create_directory(path_);
  Expect(ErrorKind::kDamaged, "snapshot.not_cairn", path_ + " is not a Cairn snapshot: it is no regular file");
}

TEST_F(OtherFilesTest, Empty) {
  WriteAll(path_, {});
  Expect(ErrorKind::kDamaged, "snapshot.not_cairn", path_ + " is not a Cairn snapshot: it is empty");
}

TEST_F(OtherFilesTest, Text) {
  WriteAll(path_, {'h', 'e', 'l', 'l', 'o'});
  Expect(ErrorKind::kDamaged, "snapshot.not_cairn", path_ + " is not a Cairn snapshot: it is no SQLite database");
}

TEST_F(OtherFilesTest, DatabaseOfAnotherProgram) {
  Doctor(path_, "CREATE TABLE metadata (id INTEGER PRIMARY KEY, name TEXT NOT NULL, value)");
  Expect(ErrorKind::kDamaged, "snapshot.not_cairn",
         path_ + " is not a Cairn snapshot: it is an SQLite database of another program");
}

TEST_F(OtherFilesTest, NewerVersion) {
  WriteFull();
  Patch(60, {0, 0, 0, 2});
  Expect(ErrorKind::kDamaged, "snapshot.newer_version",
         path_ + " has format version 2, and this cairn reads version 1");
}

TEST_F(OtherFilesTest, DraftOfTheFormat) {
  WriteFull();
  Patch(60, {0, 0, 0, 0});
  Expect(ErrorKind::kDamaged, "snapshot.draft", path_ + " has format version 0, a draft that no released cairn reads");
}

TEST_F(OtherFilesTest, CutWithinTheHeader) {
  WriteFull();
  std::filesystem::resize_file(path_, 99);
  Expect(ErrorKind::kDamaged, "snapshot.damaged", path_ + " is damaged: it was cut within its header");
}

TEST_F(OtherFilesTest, CutBehindTheHeader) {
  WriteFull();
  const uint64_t bytes = std::filesystem::file_size(path_);
  std::filesystem::resize_file(path_, bytes - 1);
  Expect(ErrorKind::kDamaged, "snapshot.damaged",
         path_ + " is damaged: it was cut: " + std::to_string(bytes - 1) + " of " + std::to_string(bytes) +
             " bytes are there");
}

// Whatever step of opening it runs out of descriptors: that is said, and not that the file is damaged.
TEST_F(OtherFilesTest, TooManyOpenFilesIsNoDamage) {
  WriteFull();
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &usual), 0);
  const int next = dup(0);  // the lowest free one
  ASSERT_GE(next, 3);
  close(next);
  int refused = 0;
  for (int more = 0; more < 3; ++more) {
    const rlimit few{static_cast<rlim_t>(next + more), usual.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    const auto reader = SnapshotReader::Open(path_);
    const auto writer = SnapshotWriter::Create(path_ + "2", {});
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &usual), 0);
    for (const Error* error : {reader ? nullptr : &reader.error(), writer ? nullptr : &writer.error()}) {
      if (error == nullptr) continue;
      ++refused;
      EXPECT_EQ(error->kind, ErrorKind::kFailed);
      EXPECT_EQ(error->code, "system.descriptors") << error->message;
      EXPECT_EQ(error->hint, "Raise the limit of open files: ulimit -n.");
    }
  }
  EXPECT_GE(refused, 3);  // both without any descriptor, the writer with one too: it needs two
}

TEST_F(OtherFilesTest, Unfinished) {
  WriteFull();
  Doctor(path_, "DELETE FROM completeness");
  Expect(ErrorKind::kDamaged, "snapshot.unfinished",
         path_ + " was never finished: the capture that wrote it was interrupted");
}

TEST_F(OtherFilesTest, WhatAKilledWriterLeavesIsUnfinished) {
  auto writer = SnapshotWriter::Create(path_, {});
  ASSERT_TRUE(writer);
  const std::vector<uint8_t> frame(60000, 7);
  const StoredColumn column{stream::ColumnKind::kTypes, 1, frame};
  // Enough for SQLite's cache to spill into the file.
  for (uint32_t i = 0; i < 500; ++i) ASSERT_TRUE((*writer)->AddChunk({.sequence = i}, std::span(&column, 1)));
  std::filesystem::copy(path_ + ".partial", path_);
  const Error error = OpenError();
  EXPECT_TRUE(error.code == "snapshot.unfinished" || error.code == "snapshot.damaged") << error.code;
  std::filesystem::remove(path_);

  // With nothing in it yet it is told exactly.
  auto early = SnapshotWriter::Create(folder_.File("early"), {});
  ASSERT_TRUE(early);
  path_ = folder_.File("early") + ".partial";
  EXPECT_EQ(OpenError().code, "snapshot.unfinished");
}

TEST_F(OtherFilesTest, LargerThanTheLimit) {
  WriteFull();
  Limits limits;
  limits.max_file_bytes = 1000;
  const auto reader = SnapshotReader::Open(path_, limits);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, "snapshot.damaged");
}

TEST_F(OtherFilesTest, EveryLimitIsMet) {
  WriteFull();
  const auto refused = [&](auto change) {
    Limits limits;
    change(limits);
    return !SnapshotReader::Open(path_, limits).has_value();
  };
  EXPECT_FALSE(refused([](Limits&) {}));
  EXPECT_TRUE(refused([](Limits& l) { l.max_objects = 6; }));  // 7 objects
  EXPECT_TRUE(refused([](Limits& l) { l.max_types = 3; }));
  EXPECT_TRUE(refused([](Limits& l) { l.max_slots_per_type = 1; }));
  EXPECT_TRUE(refused([](Limits& l) { l.max_ranges = 2; }));
  EXPECT_TRUE(refused([](Limits& l) { l.max_heap_bytes = 1000; }));
  EXPECT_TRUE(refused([](Limits& l) { l.max_chunks = 3; }));
  EXPECT_TRUE(refused([](Limits& l) { l.max_roots = 1; }));
  EXPECT_TRUE(refused([](Limits& l) { l.max_small_rows = 0; }));
  EXPECT_TRUE(refused([](Limits& l) { l.max_text_bytes = 4; }));
  EXPECT_TRUE(refused([](Limits& l) { l.max_column_bytes = 2; }));
}

TEST_F(OtherFilesTest, FieldsMeetTheirLimit) {
  WriteFull();
  Limits limits;
  limits.max_fields_per_type = 2;
  const auto reader = SnapshotReader::Open(path_, limits);
  ASSERT_TRUE(reader);
  EXPECT_FALSE((*reader)->ReadFields(0));
  EXPECT_TRUE((*reader)->ReadFields(2));
}

}  // namespace
}  // namespace cairn::snapshot::testing
