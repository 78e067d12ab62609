#include "collector/client/allocation_profile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "snapshot-format/stream/records.h"

namespace cairn::client {
namespace {

using protocol::AllocationBlock;
using protocol::AllocationSample;
using protocol::AllocationSource;

class TestedProfile final : public AllocationProfile {};

class AllocationProfileTest : public ::testing::Test {
 protected:
  template <class Message>
  Status Tell(AllocationBlock tag, const Message& message) {
    stream::RecordWriter writer;
    writer(tag);
    writer(message);
    return profile_.Take(writer.Bytes());
  }
  void Begin(AllocationSource source) {
    EXPECT_TRUE(Tell(AllocationBlock::kBegun, protocol::AllocationsBegun{source, 102400}));
    EXPECT_TRUE(Tell(AllocationBlock::kType, protocol::AllocationType{1, 0x1000, "Order"}));
    EXPECT_TRUE(Tell(AllocationBlock::kMethod, protocol::AllocationMethod{5, "Add", "Shop.dll"}));
    EXPECT_TRUE(Tell(AllocationBlock::kMethod, protocol::AllocationMethod{6, "Main", "Shop.dll"}));
    EXPECT_TRUE(Tell(AllocationBlock::kMethod, protocol::AllocationMethod{7, "Main", "Shop.dll"}));
    EXPECT_TRUE(Tell(AllocationBlock::kStack, protocol::AllocationStack{1, true, {5, 6}}));
    EXPECT_TRUE(Tell(AllocationBlock::kStack, protocol::AllocationStack{2, true, {7}}));
  }
  void Sample(std::vector<AllocationSample> samples) {
    EXPECT_TRUE(Tell(AllocationBlock::kSamples, protocol::AllocationSamples{std::move(samples)}));
  }

  TestedProfile profile_;
};

TEST_F(AllocationProfileTest, ASampleStandsForWhatItsSizeSays) {
  Begin(AllocationSource::kSamples);
  // 1 − e^(−102400/102400) = 0.632121: 1.581977 objects, 161,994 bytes each time.
  Sample({{1, 102400, 0, 1, 1, 1, false}, {2, 102400, 0, 1, 1, 1, false}});
  const auto sampling = profile_.Summarize();
  ASSERT_EQ(sampling.totals.size(), 1u);
  EXPECT_EQ(sampling.totals[0], (snapshot::AllocationTotal{"Order", 1, 2, 3, 323'989, false}));
}

TEST_F(AllocationProfileTest, OneInFourStandsForFour) {
  Begin(AllocationSource::kSamples);
  Sample({{1, 102400, 0, 1, 1, 4, false}});
  EXPECT_EQ(profile_.Summarize().totals[0].bytes, 647'978u);  // 4 × 102400 × 1.581977
}

TEST_F(AllocationProfileTest, ATickStandsForItsAmount) {
  Begin(AllocationSource::kTicks);
  Sample({{1, 50, 106'500, 1, 1, 1, false}, {2, 200'024, 0, 1, 2, 1, true}});
  const auto sampling = profile_.Summarize();
  ASSERT_EQ(sampling.totals.size(), 2u);
  EXPECT_EQ(sampling.source, snapshot::SamplingSource::kTicks);
  EXPECT_EQ(sampling.totals[0], (snapshot::AllocationTotal{"Order", 0, 1, 1, 200'024, true}));
  EXPECT_EQ(sampling.totals[1], (snapshot::AllocationTotal{"Order", 1, 1, 2130, 106'500, false}));  // 106500 / 50
}

// More than a double can tell one from the next: 2^53 + 1 objects.
TEST_F(AllocationProfileTest, CountsAreAddedUpAsTheyAre) {
  EXPECT_TRUE(Tell(AllocationBlock::kBegun, protocol::AllocationsBegun{AllocationSource::kCounted, 0}));
  EXPECT_TRUE(Tell(AllocationBlock::kType, protocol::AllocationType{1, 0, "Order"}));
  EXPECT_TRUE(Tell(AllocationBlock::kType, protocol::AllocationType{2, 0, "Note"}));
  EXPECT_TRUE(Tell(AllocationBlock::kMethod, protocol::AllocationMethod{5, "Add", "Shop.dll"}));
  EXPECT_TRUE(Tell(AllocationBlock::kStack, protocol::AllocationStack{1, true, {5}}));
  EXPECT_TRUE(Tell(AllocationBlock::kCounts,
                   protocol::AllocationCounts{{{1, 1, 9'007'199'254'740'992, 24}, {1, 1, 1, 24}, {2, 0, 3, 96}}}));
  EXPECT_TRUE(Tell(AllocationBlock::kCountCosts, protocol::AllocationCountCosts{2'000'000'000, 7, 4, 96, 5, 6}));
  const auto sampling = profile_.Summarize();
  EXPECT_TRUE(profile_.IsCounted());
  EXPECT_EQ(sampling.seconds, 2);
  EXPECT_EQ(sampling.samples, 7u);
  EXPECT_EQ(sampling.dropped, 4u);
  EXPECT_EQ(profile_.CountCosts().dropped_bytes, 96u);
  ASSERT_EQ(sampling.totals.size(), 2u);
  EXPECT_EQ(sampling.totals[0], (snapshot::AllocationTotal{"Note", 1, 3, 3, 96, true}));
  EXPECT_EQ(sampling.totals[1],
            (snapshot::AllocationTotal{"Order", 0, 9'007'199'254'740'993, 9'007'199'254'740'993, 48, true}));
  EXPECT_TRUE(sampling.frames[0].cut);
  EXPECT_EQ(sampling.methods[1].name, "(stack not known)");
}

// The other way round as well: what is counted is never mixed with what is estimated.
TEST_F(AllocationProfileTest, CountsOfAnObservationThatSamplesAreDamage) {
  Begin(AllocationSource::kSamples);
  EXPECT_FALSE(Tell(AllocationBlock::kCounts, protocol::AllocationCounts{{{1, 1, 1, 24}}}));
}

TEST_F(AllocationProfileTest, SamplesOfAnObservationThatCountsAreDamage) {
  EXPECT_TRUE(Tell(AllocationBlock::kBegun, protocol::AllocationsBegun{AllocationSource::kCounted, 0}));
  EXPECT_FALSE(Tell(AllocationBlock::kSamples, protocol::AllocationSamples{{{1, 24, 0, 1, 1, 1, false}}}));
}

TEST_F(AllocationProfileTest, StacksAreATree) {
  Begin(AllocationSource::kSamples);
  Sample({{1, 24, 0, 1, 1, 1, false}, {2, 24, 0, 1, 2, 1, false}, {3, 24, 0, 9, 9, 1, false}});
  const auto sampling = profile_.Summarize();
  // Both compilations of Main are one.
  EXPECT_EQ(sampling.methods, (std::vector<snapshot::AllocationMethod>{{"Add"}, {"Main"}, {"(stack not known)"}}));
  EXPECT_EQ(sampling.frames, (std::vector<snapshot::AllocationFrame>{
                                 {snapshot::kNoId, 1, true}, {0, 0, false}, {snapshot::kNoId, 2, false}}));
  EXPECT_EQ(sampling.totals.size(), 3u);
}

// The runtime's way to sample, done by hand: every byte of all objects in a row, one in a mean of m.
TEST_F(AllocationProfileTest, EstimatesHaveNoBias) {
  Begin(AllocationSource::kSamples);
  std::mt19937_64 random(3);
  std::exponential_distribution<double> distance(1.0 / 102400);
  for (const uint64_t size : {24ull, 4000ull, 90'000ull, 400'000ull}) {
    const uint32_t type = 1;
    const uint64_t count = 2'000'000'000 / size;
    double next = distance(random);
    std::vector<AllocationSample> samples;
    // A byte of an object that was sampled already is passed over.
    double at = 0;
    for (const double end = static_cast<double>(size * count); next < end; next += distance(random)) {
      if (next < at) continue;
      at = (std::floor(next / static_cast<double>(size)) + 1) * static_cast<double>(size);
      samples.push_back({samples.size(), size, 0, type, 1, 1, false});
    }
    const uint64_t before = profile_.Summarize().totals.empty() ? 0 : profile_.Summarize().totals[0].bytes;
    Sample(std::move(samples));
    const double bytes = static_cast<double>(profile_.Summarize().totals[0].bytes - before);
    // About 19,500 samples: one deviation is 0.7 %, and the numbers are always the same.
    EXPECT_NEAR(bytes, static_cast<double>(size * count), 0.02 * static_cast<double>(size * count)) << size;
  }
}

TEST_F(AllocationProfileTest, WhatIsDamagedIsSaid) {
  EXPECT_FALSE(profile_.Take({}));
  EXPECT_FALSE(Tell(AllocationBlock::kSamples, protocol::AllocationSamples{}));  // before the beginning
  Begin(AllocationSource::kSamples);
  EXPECT_FALSE(Tell(AllocationBlock::kType, protocol::AllocationType{0xFFFFFFFF, 0, ""}));
  EXPECT_FALSE(Tell(AllocationBlock::kMethod, protocol::AllocationMethod{0xFFFFFFFF, "", ""}));
  EXPECT_FALSE(Tell(AllocationBlock::kStack, protocol::AllocationStack{0xFFFFFFFF, false, {}}));
  EXPECT_FALSE(Tell(static_cast<AllocationBlock>(99), protocol::AllocationCosts{}));
  stream::RecordWriter writer;
  writer(AllocationBlock::kType);
  writer(protocol::AllocationType{1, 2, "Order"});
  for (size_t size = 1; size < writer.Bytes().size(); ++size)
    EXPECT_FALSE(profile_.Take(std::span(writer.Bytes()).first(size))) << size;
}

TEST(SampledShareTest, OfSmallAndLarge) {
  EXPECT_NEAR(SampledShare(24, 102400), 24.0 / 102400, 1e-7);
  EXPECT_NEAR(SampledShare(102400, 102400), 0.632121, 1e-6);
  EXPECT_NEAR(SampledShare(10'240'000, 102400), 1.0, 1e-12);
}

}  // namespace
}  // namespace cairn::client
