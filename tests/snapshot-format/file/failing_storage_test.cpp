#include "snapshot-format/testing/failing_storage.h"

#include <algorithm>
#include <filesystem>

#include "tests/snapshot-format/file/snapshot_cases.h"

namespace cairn::snapshot::testing {
namespace {

class FailingStorageTest : public SnapshotFileTest {
 protected:
  static constexpr uint64_t kNever = ~uint64_t{0};

  // Writes enough to make SQLite spill its cache before the end.
  Result<uint64_t> WriteThrough(const FailingStorage& storage) {
    auto writer = SnapshotWriter::Create(path_, {.overwrite = false, .vfs = storage.Vfs()});
    if (!writer) return tl::make_unexpected(writer.error());
    const std::vector<uint8_t> frame(200000, 7);
    const StoredColumn column{stream::ColumnKind::kTypes, 1, frame};
    Summary summary;
    summary.ranges.push_back({.start = 0x1000, .length = 0x1000});
    for (uint32_t i = 0; i < 120; ++i) {
      if (const Status status = (*writer)->AddChunk({.sequence = i}, std::span(&column, 1)); !status) {
        return tl::make_unexpected(status.error());
      }
    }
    summary.totals.chunks = 120;
    return (*writer)->Finish(summary);
  }
  // Every write at the start and at the end, where the tables are made and closed; some of the many alike
  // between them.
  static uint64_t Step(uint64_t fail_at, uint64_t writes) {
    return fail_at < 20 || fail_at + 25 > writes ? 1 : std::min<uint64_t>(23, writes - 24 - fail_at);
  }
  void ExpectEveryWriteMatters(FailingStorage::Failure failure, const std::string& code) {
    uint64_t writes = 0;
    {
      const FailingStorage storage(failure, kNever);
      const auto written = WriteThrough(storage);
      ASSERT_TRUE(written) << written.error().message;
      EXPECT_NE(Open(), nullptr);
      writes = storage.Writes();
      std::filesystem::remove(path_);
    }
    ASSERT_GT(writes, 100u);
    for (uint64_t fail_at = 0; fail_at < writes; fail_at += Step(fail_at, writes)) {
      const FailingStorage storage(failure, fail_at);
      const auto written = WriteThrough(storage);
      ASSERT_FALSE(written) << "write " << fail_at << " of " << writes;
      EXPECT_EQ(written.error().code, code) << written.error().message;
      EXPECT_EQ(written.error().kind, ErrorKind::kFailed);
      ASSERT_EQ(folder_.Names(), std::vector<std::string>()) << "write " << fail_at;
    }
  }
};

TEST_F(FailingStorageTest, FullDiskLeavesNothing) {
  ExpectEveryWriteMatters(FailingStorage::Failure::kDiskFull, "output.full");
}

TEST_F(FailingStorageTest, BrokenDiskLeavesNothing) {
  ExpectEveryWriteMatters(FailingStorage::Failure::kInputOutput, "output.unwritable");
}

TEST_F(FailingStorageTest, UnknownVfsIsTold) {
  const auto writer = SnapshotWriter::Create(path_, {.overwrite = false, .vfs = "no such storage"});
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, "output.unwritable");
  EXPECT_EQ(folder_.Names(), std::vector<std::string>());
}

}  // namespace
}  // namespace cairn::snapshot::testing
