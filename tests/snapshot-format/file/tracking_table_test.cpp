// The tables that only a tracked snapshot has.

#include "tests/snapshot-format/file/snapshot_cases.h"

namespace cairn::snapshot::testing {
namespace {

class TrackingTableTest : public SnapshotFileTest {
 protected:
  Result<uint64_t> Write(std::optional<Tracking> tracking) {
    auto writer = SnapshotWriter::Create(path_, {});
    Summary summary;
    summary.tracking = std::move(tracking);
    return (*writer)->Finish(summary);
  }
};

TEST_F(TrackingTableTest, ComesBack) {
  const std::vector<IdentityRange> ranges = {{0x1000, 0x5000, 32, true}, {0x1020, 0xFFFFFFFFFFFFF000, 0xFFF, false}};
  ASSERT_TRUE(Write(Tracking{"0f", "", 7, 2, ranges}));
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  const auto& tracking = reader->Summary().tracking;
  ASSERT_TRUE(tracking);
  EXPECT_EQ(tracking->previous, "0f");
  EXPECT_EQ(tracking->lost, "");
  EXPECT_EQ(tracking->collections, 7u);
  EXPECT_EQ(tracking->background, 2u);
  EXPECT_EQ(tracking->ranges, ranges);
  EXPECT_TRUE(Verify(*reader));
}

TEST_F(TrackingTableTest, ASnapshotWithoutThemHasNone) {
  ASSERT_TRUE(Write(std::nullopt));
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  EXPECT_FALSE(reader->Summary().tracking);
}

TEST_F(TrackingTableTest, RangesThatAreNone) {
  for (const IdentityRange& second : {IdentityRange{0x1008, 0x5000, 8}, IdentityRange{0x2000, 0x5000, 0},
                                      IdentityRange{0x2000, ~0ull, 2}, IdentityRange{~0ull, 0x5000, 2}}) {
    ASSERT_TRUE(Write(Tracking{"0f", "", 1, 0, {{0x1000, 0x1000, 16}, second}}));
    const auto reader = SnapshotReader::Open(path_);
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().code, "snapshot.damaged");
    ::unlink(path_.c_str());
  }
}

}  // namespace
}  // namespace cairn::snapshot::testing
