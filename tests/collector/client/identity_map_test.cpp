// Journals made by hand: addresses of ten bytes an object, what each collection does in the comment.

#include "collector/client/identity_map.h"

#include <gtest/gtest.h>

#include <cstring>

namespace cairn::client {
namespace {

using protocol::HeapBound;
using protocol::JournalHeader;
using protocol::JournalKind;
using protocol::JournalLoss;
using protocol::MovedRange;
using protocol::SurvivedRange;
using Ranges = std::vector<snapshot::IdentityRange>;

// One range a generation: gen0 from 1000, gen1 from 2000, gen2 from 3000, large from 4000, pinned from 5000; 500 bytes
// used and 1000 reserved each.
std::vector<HeapBound> Heap() {
  std::vector<HeapBound> bounds;
  for (uint32_t generation = 0; generation < 5; ++generation)
    bounds.push_back({1000 + generation * 1000ull, 500, 1000, generation, 0});
  return bounds;
}

constexpr uint16_t kGen0 = 1, kGen1 = 3, kFull = 31;

class IdentityMapTest : public ::testing::Test {
 protected:
  template <class Item>
  void Tell(JournalKind kind, uint16_t detail, uint64_t value, const std::vector<Item>& items) {
    const JournalHeader header{kind, detail, static_cast<uint32_t>(items.size()), value};
    std::vector<uint8_t> bytes(sizeof header + items.size() * sizeof(Item));
    std::memcpy(bytes.data(), &header, sizeof header);
    if (!items.empty()) std::memcpy(bytes.data() + sizeof header, items.data(), items.size() * sizeof(Item));
    EXPECT_TRUE(map_.Read(bytes));
  }
  void Tell(JournalKind kind, uint16_t detail = 0, uint64_t value = 0) { Tell<HeapBound>(kind, detail, value, {}); }

  void Begin(uint16_t mask, const std::vector<HeapBound>& heap = Heap()) {
    Tell(JournalKind::kBounds, mask, 0, heap);
    Tell(JournalKind::kCollection, 0, ++number_);
  }
  void Survived(const std::vector<SurvivedRange>& ranges) { Tell(JournalKind::kSurvived, 0, 0, ranges); }
  void Moved(const std::vector<MovedRange>& ranges) { Tell(JournalKind::kMoved, 0, 0, ranges); }
  void End(uint16_t condemned, const std::vector<HeapBound>& heap = Heap()) {
    Tell(JournalKind::kCondemned, condemned);
    Tell(JournalKind::kFinished, 0, 0, heap);
  }
  // A full collection after which everything is where it was, and a snapshot.
  void Snapshot(uint64_t marker) {
    Begin(kFull);
    Survived({{1000, 500}, {2000, 500}, {3000, 500}, {4000, 500}, {5000, 500}});
    End(2);
    Tell(JournalKind::kMarker, 0, marker);
  }
  // The second snapshot, and what it says.
  const IdentityMap::Followed& Finish() {
    Snapshot(2);
    EXPECT_EQ(followed_.size(), 2u);
    return followed_.back();
  }

  std::vector<IdentityMap::Followed> followed_;
  IdentityMap map_{[this](IdentityMap::Followed followed) { followed_.push_back(std::move(followed)); }};
  uint64_t number_ = 0;
};

const Ranges kOlder = {{2000, 2000, 500}, {3000, 3000, 500}, {4000, 4000, 500}, {5000, 5000, 500}};

Ranges With(Ranges first, const Ranges& rest = kOlder) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

TEST_F(IdentityMapTest, EverythingStays) {
  Snapshot(1);
  EXPECT_FALSE(followed_[0].base);
  EXPECT_TRUE(followed_[0].ranges.empty());
  const auto& followed = Finish();
  EXPECT_EQ(followed.base, 1u);
  EXPECT_EQ(followed.marker, 2u);
  EXPECT_EQ(followed.lost, "");
  EXPECT_EQ(followed.collections, 1u);
  EXPECT_EQ(followed.ranges, With({{1000, 1000, 500}}));
}

// gen0 → gen1 → gen2, each into unused space: 1100 → 2600 → 3700.
TEST_F(IdentityMapTest, AChainOfMoves) {
  Snapshot(1);
  Begin(kGen0);
  Moved({{1100, 2600, 20}});
  End(0);
  Begin(kGen1);
  Survived({{2000, 500}});
  Moved({{2600, 3700, 20}});
  End(1);
  Begin(kFull);
  Survived({{2000, 500}, {3000, 500}, {3700, 20}, {4000, 500}, {5000, 500}});
  End(2);
  Tell(JournalKind::kMarker, 0, 2);
  ASSERT_EQ(followed_.back().lost, "");
  EXPECT_EQ(followed_.back().ranges, With({{1100, 3700, 20}}));
}

// What no range covers is dead; a range may begin and end in the middle of what was contiguous.
TEST_F(IdentityMapTest, DeathInTheMiddle) {
  Snapshot(1);
  Begin(kFull);
  Survived({{2000, 500}, {3000, 100}, {3110, 390}, {4000, 500}, {5000, 500}});
  End(2);
  EXPECT_EQ(Finish().ranges,
            (Ranges{{2000, 2000, 500}, {3000, 3000, 100}, {3110, 3110, 390}, {4000, 4000, 500}, {5000, 5000, 500}}));
}

// 3110 slides to 3100, so that both parts touch, but not as they did before.
TEST_F(IdentityMapTest, PartsThatMoveTogetherStayApart) {
  Snapshot(1);
  Begin(kFull);
  Moved({{3110, 3100, 390}, {3000, 3000, 100}});
  Survived({{4000, 500}, {5000, 500}});
  End(2);
  EXPECT_EQ(Finish().ranges, (Ranges{{3000, 3000, 100}, {3110, 3100, 390}, {4000, 4000, 500}, {5000, 5000, 500}}));
}

// A range told twice is one.
TEST_F(IdentityMapTest, TheSameRangeTwice) {
  Snapshot(1);
  Begin(kGen0);
  Survived({{1000, 50}, {1000, 50}});
  End(0);
  EXPECT_EQ(Finish().ranges, With({{1000, 1000, 50}}));
}

// Others are moved to 3200: what was there had been freed by a collection that does not tell.
TEST_F(IdentityMapTest, WhatOthersAreMovedToIsDead) {
  Snapshot(1);
  Begin(kGen0);
  Moved({{1600, 3200, 30}});
  End(0);
  EXPECT_EQ(Finish().ranges,
            (Ranges{{2000, 2000, 500}, {3000, 3000, 200}, {3230, 3230, 270}, {4000, 4000, 500}, {5000, 5000, 500}}));
}

TEST_F(IdentityMapTest, ABackgroundCollectionKillsNothingAndLeavesLargeAndPinnedInDoubt) {
  Snapshot(1);
  Begin(kFull);
  Begin(kGen0);  // in the middle of it
  Survived({{1000, 500}});
  End(0);
  const auto& followed = Finish();
  EXPECT_EQ(followed.lost, "");
  EXPECT_EQ(followed.background, 1u);
  EXPECT_EQ(followed.collections, 3u);
  EXPECT_EQ(followed.ranges, (Ranges{{1000, 1000, 500},
                                     {2000, 2000, 500},
                                     {3000, 3000, 500},
                                     {4000, 4000, 500, false},
                                     {5000, 5000, 500, false}}));
}

// The place of a region of gen2 that was freed meanwhile is young when the next collection begins: what survives there
// now is new.
TEST_F(IdentityMapTest, AFreedRegionThatBecomesYoung) {
  Snapshot(1);
  Begin(kFull);  // in the background
  auto heap = Heap();
  heap[2] = {3000, 500, 1000, 0, 0};
  Begin(kGen0, heap);
  Survived({{1000, 500}, {3000, 500}});
  End(0, heap);
  const auto& followed = Finish();
  EXPECT_EQ(followed.lost, "");
  EXPECT_EQ(followed.ranges,
            (Ranges{{1000, 1000, 500}, {2000, 2000, 500}, {4000, 4000, 500, false}, {5000, 5000, 500, false}}));
}

// What a collection leaves in gen0 (pinned objects) is known there still.
TEST_F(IdentityMapTest, SurvivorsThatStayYoung) {
  Snapshot(1);
  for (int i = 0; i < 3; ++i) {
    Begin(kGen0);
    Survived({{1200, 40}});
    End(0);
  }
  EXPECT_EQ(Finish().ranges, With({{1200, 1200, 40}}));
}

// ---- nothing is known ----

class LostTest : public IdentityMapTest {
 protected:
  void SetUp() override { Snapshot(1); }
  void ExpectLost(const std::string& why) {
    const auto& followed = Finish();
    EXPECT_EQ(followed.lost, why);
    EXPECT_TRUE(followed.ranges.empty());
    // From the next snapshot on it is known again.
    Snapshot(3);
    EXPECT_EQ(followed_.back().lost, "");
    EXPECT_EQ(followed_.back().ranges, With({{1000, 1000, 500}}));
  }
};

TEST_F(LostTest, AnOverflow) {
  Tell(JournalKind::kLost, static_cast<uint16_t>(JournalLoss::kOverflow));
  ExpectLost("collections moved more than the journal holds");
}

TEST_F(LostTest, AMissingCollection) {
  ++number_;
  ExpectLost("a collection was not told of");
}

// It told survivors, so it was blocking; that it came to an end is not known.
TEST_F(LostTest, ACollectionWithoutAnEnd) {
  Begin(kGen0);
  Survived({{1000, 500}});
  ExpectLost("the end of a collection was not told of");
}

TEST_F(LostTest, AnotherGenerationThanItBeganWith) {
  Begin(kGen0);
  Survived({{1000, 500}});
  End(1);
  ExpectLost("a collection was not told as a whole");
}

TEST_F(LostTest, AFullCollectionThatLeavesNothing) {
  Begin(kFull);
  End(2);
  ExpectLost("a collection was not told as a whole");
}

TEST_F(LostTest, RangesThatOverlap) {
  Begin(kGen0);
  Survived({{1000, 50}, {1040, 50}});
  End(0);
  ExpectLost("the ranges of a collection overlap");
}

TEST_F(LostTest, TwoMovedToOnePlace) {
  Begin(kGen0);
  Moved({{1000, 2600, 50}, {1100, 2640, 50}});
  End(0);
  ExpectLost("the ranges of a collection overlap");
}

TEST_F(IdentityMapTest, BytesThatAreNoRecords) {
  const JournalHeader header{JournalKind::kMoved, 0, 2, 0};
  std::vector<uint8_t> bytes(sizeof header + sizeof(MovedRange));
  std::memcpy(bytes.data(), &header, sizeof header);
  EXPECT_FALSE(map_.Read(bytes));
  EXPECT_FALSE(map_.Read(std::span(bytes).first(7)));
}

// ---- samples ---------------------------------------------------------------------------------------

class SampledObjectsTest : public ::testing::Test {
 protected:
  template <class Item>
  void Tell(JournalKind kind, uint16_t detail, uint64_t value, const std::vector<Item>& items) {
    const JournalHeader header{kind, detail, static_cast<uint32_t>(items.size()), value};
    std::vector<uint8_t> bytes(sizeof header + items.size() * sizeof(Item));
    std::memcpy(bytes.data(), &header, sizeof header);
    if (!items.empty()) std::memcpy(bytes.data() + sizeof header, items.data(), items.size() * sizeof(Item));
    EXPECT_TRUE(map_.Read(bytes));
  }
  void Sample(uint64_t address, uint64_t size, uint64_t key) {
    Tell<protocol::SampledObject>(JournalKind::kSampled, 0, 0, {{address, size, key}});
  }
  void Begin(uint16_t mask, const std::vector<HeapBound>& heap = Heap()) {
    Tell(JournalKind::kBounds, mask, 0, heap);
    Tell<HeapBound>(JournalKind::kCollection, 0, ++number_, {});
  }
  void Collect(uint16_t mask, uint16_t condemned, const std::vector<MovedRange>& moved,
               const std::vector<SurvivedRange>& survived = {}, const std::vector<HeapBound>& heap = Heap()) {
    Begin(mask, heap);
    if (!moved.empty()) Tell(JournalKind::kMoved, 0, 0, moved);
    if (!survived.empty()) Tell(JournalKind::kSurvived, 0, 0, survived);
    Tell<HeapBound>(JournalKind::kCondemned, condemned, 0, {});
    Tell(JournalKind::kFinished, 0, 0, heap);
  }
  IdentityMap::Followed Snapshot() {
    Tell<HeapBound>(JournalKind::kMarker, 0, 7, {});
    return std::move(followed_);
  }
  static snapshot::IdentityRange At(uint64_t key, uint64_t address, uint64_t size, bool certain = true) {
    return {IdentityMap::OriginOf(key), address, size, certain};
  }

  IdentityMap::Followed followed_;
  uint64_t number_ = 0;
  IdentityMap map_{[this](IdentityMap::Followed followed) { followed_ = std::move(followed); },
                   IdentityMap::Follows::kSamples};
};

TEST_F(SampledObjectsTest, AreFollowedFromWhereTheyWereMade) {
  Sample(1000, 24, 1);  // moved to 2100, later to 3300
  Sample(1100, 24, 2);  // dies at once
  Sample(4000, 90, 3);  // large: not collected with the young
  Collect(kGen0, 0, {{1000, 2100, 40}});
  Sample(1100, 24, 4);  // in the place of the dead one
  Collect(kGen1, 1, {{2100, 3300, 40}, {1100, 2000, 24}});
  const auto followed = Snapshot();
  EXPECT_EQ(followed.lost, "");
  EXPECT_EQ(followed.collections, 2u);
  EXPECT_EQ(followed.ranges, (Ranges{At(1, 3300, 24), At(3, 4000, 90), At(4, 2000, 24)}));
}

TEST_F(SampledObjectsTest, GoOnBeingFollowedBehindASnapshot) {
  Sample(1000, 24, 1);
  Collect(kGen0, 0, {{1000, 2100, 24}});
  EXPECT_EQ(Snapshot().ranges, (Ranges{At(1, 2100, 24)}));
  Sample(1000, 24, 2);
  Collect(kGen1, 1, {{1000, 2000, 24}, {2100, 3000, 24}});
  EXPECT_EQ(Snapshot().ranges, (Ranges{At(1, 3000, 24), At(2, 2000, 24)}));
}

// An old sample whose place became another's is not that other one.
TEST_F(SampledObjectsTest, ANewerOneInTheSamePlace) {
  Sample(4000, 90, 1);
  Sample(4050, 60, 2);  // a background collection freed the first one meanwhile
  Begin(kFull);         // background: no end
  Sample(4040, 80, 3);
  Collect(kGen0, 0, {});
  EXPECT_EQ(Snapshot().ranges, (Ranges{At(3, 4040, 80)}));
}

TEST_F(SampledObjectsTest, ABackgroundCollectionLeavesLargeOnesInDoubt) {
  Sample(3000, 24, 1);
  Sample(4000, 90, 2);
  Begin(kFull);
  Sample(4200, 90, 3);  // made while it runs: it does not free this one
  Collect(kGen0, 0, {});
  EXPECT_EQ(Snapshot().ranges, (Ranges{At(1, 3000, 24), At(2, 4000, 90, false), At(3, 4200, 90)}));
}

TEST_F(SampledObjectsTest, SurvivorsThatStayYoung) {
  Sample(1000, 24, 1);
  Collect(kGen0, 0, {}, {{1000, 500}});
  Collect(kGen0, 0, {}, {{1000, 500}});
  EXPECT_EQ(Snapshot().ranges, (Ranges{At(1, 1000, 24)}));
}

// As .NET 8 does where the application did not ask for it: one pause, one callback, two collections.
TEST_F(SampledObjectsTest, ABackgroundCollectionThatBeginsWithAYoungOne) {
  Sample(1000, 24, 1);
  Sample(3000, 24, 2);
  Sample(4000, 90, 3);
  Begin(kFull);
  Tell<HeapBound>(JournalKind::kCollection, 0, ++number_, {});
  Tell<MovedRange>(JournalKind::kMoved, 0, 0, {{1000, 2000, 24}});
  Tell<HeapBound>(JournalKind::kCondemned, 1, 0, {});
  Tell(JournalKind::kFinished, 0, 0, Heap());
  Sample(4200, 90, 4);
  Collect(kGen1, 1, {{2000, 3100, 24}});
  const auto followed = Snapshot();
  EXPECT_EQ(followed.lost, "");
  EXPECT_EQ(followed.background, 1u);
  EXPECT_EQ(followed.ranges, (Ranges{At(1, 3100, 24), At(2, 3000, 24), At(3, 4000, 90, false), At(4, 4200, 90)}));
}

// A region that a background collection freed unseen, and that then became young: what lies there is new.
TEST_F(SampledObjectsTest, AFreedRegionThatBecomesYoung) {
  Sample(3500, 24, 1);
  Collect(kGen0, 0, {}, {{1000, 500}});
  std::vector<HeapBound> heap = Heap();
  heap[2].generation = 0;  // 3000 to 4000
  Collect(kGen0, 0, {}, {{3000, 1000}}, heap);
  EXPECT_TRUE(Snapshot().ranges.empty());
}

TEST_F(SampledObjectsTest, ACollectionUnderWayAtTheBeginningIsNoLoss) {
  Tell(JournalKind::kBounds, kGen0, 0, Heap());
  Tell<MovedRange>(JournalKind::kMoved, 0, 0, {{1000, 2000, 24}});
  Tell(JournalKind::kFinished, 0, 0, Heap());
  Sample(1000, 24, 1);
  number_ = 41;
  Collect(kGen0, 0, {{1000, 2000, 24}});
  const auto followed = Snapshot();
  EXPECT_EQ(followed.lost, "");
  EXPECT_EQ(followed.ranges, (Ranges{At(1, 2000, 24)}));
}

TEST_F(SampledObjectsTest, ALossIsForgottenBehindTheSnapshot) {
  Sample(1000, 24, 1);
  Tell<HeapBound>(JournalKind::kLost, static_cast<uint16_t>(JournalLoss::kOverflow), 0, {});
  Sample(1100, 24, 2);
  Collect(kGen0, 0, {{1000, 2000, 200}});
  const auto lost = Snapshot();
  EXPECT_EQ(lost.lost, "collections moved more than the journal holds");
  EXPECT_TRUE(lost.ranges.empty());
  Sample(1000, 24, 3);
  Collect(kGen0, 0, {{1000, 2000, 24}});
  EXPECT_EQ(Snapshot().ranges, (Ranges{At(3, 2000, 24)}));
}

}  // namespace
}  // namespace cairn::client
