// What is written down of a collection, with the callbacks in the order in which .NET 10 makes them.

#include "collector/tracking/gc_journal.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/collector/capture/fake_runtime.h"

namespace cairn::collector {
namespace {

using protocol::JournalHeader;
using protocol::JournalKind;

class GcJournalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    runtime_.ranges = {{abi::GcGeneration::kGen0, 0x1000, 0x100, 0x1000}};
    ASSERT_TRUE(journal_.Prepare(runtime_.As<abi::ICorProfilerInfo10>(), size_t{16} << 20));
  }
  void Begin(uint32_t number) {
    const abi::Bool collected[] = {1, 1, 1, 1, 1};
    journal_.OnSuspendFinished();
    journal_.OnCollectionStarted(collected);
    std::vector<uint8_t> payload(26);
    std::memcpy(payload.data(), &number, 4);
    journal_.OnEvent(1, 2, payload);
  }
  void Ranges(uint32_t id) {
    std::vector<uint8_t> payload(10 + (id == 22 ? 24 : 16));
    payload[4] = 1;
    journal_.OnEvent(id, 0, payload);
  }
  void History(uint8_t mechanisms) {
    std::vector<uint8_t> payload(40);
    payload[12] = 2;
    payload[24] = mechanisms;
    journal_.OnEvent(205, 2, payload);
  }
  std::vector<JournalKind> Kinds() {
    std::vector<JournalKind> kinds;
    for (auto record = journal_.Next(); !record.empty(); record = journal_.Next()) {
      JournalHeader header;
      std::memcpy(&header, record.data(), sizeof header);
      EXPECT_EQ(record.size(), sizeof header + header.count * ItemBytes(header.kind));
      kinds.push_back(header.kind);
      journal_.Pop();
    }
    return kinds;
  }

  FakeRuntime runtime_;
  GcJournal journal_;
};

using Kind = JournalKind;

TEST_F(GcJournalTest, ABlockingCollectionAndASnapshot) {
  Begin(7);
  Ranges(21);
  Ranges(22);
  History(2);
  journal_.OnCollectionFinished(99);
  journal_.OnResumeStarted();
  EXPECT_EQ(Kinds(), (std::vector{Kind::kBounds, Kind::kCollection, Kind::kSurvived, Kind::kMoved, Kind::kCondemned,
                                  Kind::kFinished, Kind::kMarker}));
}

// Its survivors, and its end, come after the application has run on.
TEST_F(GcJournalTest, ABackgroundCollection) {
  Begin(7);
  journal_.OnResumeStarted();
  journal_.OnSuspendFinished();
  Ranges(21);
  journal_.OnResumeStarted();
  History(1);
  journal_.OnCollectionFinished(0);
  EXPECT_EQ(Kinds(), (std::vector{Kind::kBounds, Kind::kCollection}));
}

// It ends in the middle of another one.
TEST_F(GcJournalTest, TheEndOfABackgroundCollectionIsNotThatOfAnother) {
  Begin(8);
  History(1);
  journal_.OnCollectionFinished(0);
  Ranges(22);
  History(2);
  journal_.OnCollectionFinished(0);
  journal_.OnCollectionFinished(0);
  EXPECT_EQ(Kinds(), (std::vector{Kind::kBounds, Kind::kCollection, Kind::kMoved, Kind::kCondemned, Kind::kFinished}));
}

TEST_F(GcJournalTest, SampledObjectsBetweenCollections) {
  EXPECT_TRUE(journal_.OnSampled({0x1000, 24, 1}));
  Begin(7);
  Ranges(22);
  History(2);
  journal_.OnCollectionFinished(0);
  journal_.OnSnapshot(99);
  journal_.OnResumeStarted();
  EXPECT_TRUE(journal_.OnSampled({0x1018, 24, 2}));
  EXPECT_EQ(Kinds(), (std::vector{Kind::kSampled, Kind::kBounds, Kind::kCollection, Kind::kMoved, Kind::kCondemned,
                                  Kind::kFinished, Kind::kMarker, Kind::kSampled}));
}

// A sample that does not fit is not followed; collections go on being told.
TEST_F(GcJournalTest, SamplesLeaveRoomForCollections) {
  while (journal_.OnSampled({0x1000, 24, 1})) continue;
  Begin(7);
  History(2);
  journal_.OnCollectionFinished(0);
  std::vector<Kind> kinds = Kinds();
  std::erase(kinds, Kind::kSampled);
  EXPECT_EQ(kinds, (std::vector{Kind::kBounds, Kind::kCollection, Kind::kCondemned, Kind::kFinished}));
}

TEST_F(GcJournalTest, EventsOfAnotherKind) {
  journal_.OnEvent(1, 1, std::vector<uint8_t>(100));  // about the process, as a session begins
  journal_.OnEvent(4, 2, std::vector<uint8_t>(100));
  EXPECT_TRUE(Kinds().empty());
  Begin(7);
  Kinds();
  journal_.OnEvent(22, 0, std::vector<uint8_t>(5));
  EXPECT_EQ(Kinds(), std::vector{Kind::kLost});
}

TEST_F(GcJournalTest, WhatDoesNotFitIsSaidToBeLost) {
  Begin(7);
  std::vector<uint8_t> many(10 + 40'000 * 24);  // 960 kB each; 16 MiB less the room for what is small
  const uint32_t count = 40'000;
  std::memcpy(many.data() + 4, &count, 4);
  for (int i = 0; i < 20; ++i) journal_.OnEvent(22, 0, many);
  History(2);
  journal_.OnCollectionFinished(5);
  const auto kinds = Kinds();
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), Kind::kMoved), 13);  // 12 MiB / 960 kB
  EXPECT_GE(std::count(kinds.begin(), kinds.end(), Kind::kLost), 1);
  EXPECT_EQ(kinds.back(), Kind::kMarker);
}

}  // namespace
}  // namespace cairn::collector
