// The tables that only a snapshot behind sampled allocations has.

#include "tests/snapshot-format/file/snapshot_cases.h"

namespace cairn::snapshot::testing {
namespace {

class SamplingTablesTest : public SnapshotFileTest {
 protected:
  // Main (cut) ← Add, and Main ← Load; two objects from Add.
  static Sampling Example() {
    Sampling sampling;
    sampling.source = SamplingSource::kTicks;
    sampling.seconds = 2.5;
    sampling.mean_bytes = 102400;
    sampling.samples = 9;
    sampling.dropped = 1;
    sampling.unmatched = 2;
    sampling.methods = {{"App.Main()"}, {"Shop.Cache.Add(System.String)"}, {"Shop.Loader.Load()"}};
    sampling.frames = {{kNoId, 0, true}, {0, 1, false}, {0, 2, false}};
    sampling.totals = {{"Shop.Order", 1, 7, 700, 28000, false}, {"System.Byte[]", 2, 2, 2, 200048, true}};
    return sampling;
  }
  Result<uint64_t> Write(std::optional<Sampling> sampling, std::optional<Tracking> tracking = std::nullopt) {
    auto writer = SnapshotWriter::Create(path_, {});
    Summary summary;
    summary.sampling = std::move(sampling);
    summary.tracking = std::move(tracking);
    return (*writer)->Finish(summary);
  }
};

TEST_F(SamplingTablesTest, ComeBack) {
  Sampling example = Example();
  example.objects = {{0x1000, 1}, {0x2000, 2}};
  ASSERT_TRUE(Write(example));
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  EXPECT_FALSE(reader->Summary().tracking);
  const auto& sampling = reader->Summary().sampling;
  ASSERT_TRUE(sampling);
  EXPECT_EQ(sampling->source, SamplingSource::kTicks);
  EXPECT_EQ(sampling->seconds, 2.5);
  EXPECT_EQ(sampling->mean_bytes, 102400u);
  EXPECT_EQ(sampling->samples, 9u);
  EXPECT_EQ(sampling->dropped, 1u);
  EXPECT_EQ(sampling->unmatched, 2u);
  EXPECT_EQ(sampling->lost, "");
  EXPECT_EQ(sampling->methods, example.methods);
  EXPECT_EQ(sampling->frames, example.frames);
  EXPECT_EQ(sampling->totals, example.totals);
  EXPECT_EQ(sampling->objects, example.objects);
}

TEST_F(SamplingTablesTest, BesideThoseOfTracking) {
  ASSERT_TRUE(Write(Example(), Tracking{"0f", "", 1, 0, {}}));
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  EXPECT_TRUE(reader->Summary().tracking);
  EXPECT_TRUE(reader->Summary().sampling);
  EXPECT_TRUE(Verify(*reader));
}

TEST_F(SamplingTablesTest, ASnapshotWithoutThemHasNone) {
  ASSERT_TRUE(Write(std::nullopt));
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  EXPECT_FALSE(reader->Summary().sampling);
}

TEST_F(SamplingTablesTest, AnObjectWhereNoneStartsIsToldByTheVerifier) {
  Sampling example = Example();
  example.objects = {{0x1000, 1}};
  ASSERT_TRUE(Write(example));
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  const auto report = Verify(*reader);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->errors.size(), 1u);
  EXPECT_EQ(report->errors[0], "a sampled allocation refers to 0x1000, where no object starts");
}

TEST_F(SamplingTablesTest, WhatLeadsNowhereIsNotWritten) {
  const std::vector<void (*)(Sampling&)> faults = {
      [](Sampling& s) { s.frames[1].parent = 1; },    [](Sampling& s) { s.frames[1].method = 3; },
      [](Sampling& s) { s.frames[1].cut = true; },    [](Sampling& s) { s.totals[0].stack = 3; },
      [](Sampling& s) { s.objects = {{0x1000, 3}}; }, [](Sampling& s) { s.objects = {{0x1000, 1}, {0x1000, 2}}; },
  };
  for (const auto fault : faults) {
    Sampling example = Example();
    fault(example);
    const auto written = Write(example);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, "output.invalid");
  }
}

}  // namespace
}  // namespace cairn::snapshot::testing
