// Every allocation, from the callback to the blocks that the client gets.

#include "collector/sampling/count_observer.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <map>
#include <thread>

#include "collector/abi/masks.h"
#include "tests/collector/observing/observer_fixture.h"

namespace cairn::collector {
namespace {

using protocol::AllocationBlock;

constexpr abi::ClassID kOrder = 0x5000, kNote = 0x6000;
constexpr abi::FunctionID kMake = 0x7000, kMain = 0x8000;

// What a client has been told until now.
struct Told {
  std::map<uint32_t, std::string> types, methods;
  std::map<uint32_t, protocol::AllocationStack> stacks;
  std::map<std::pair<uint32_t, uint32_t>, std::pair<uint64_t, uint64_t>> sums;  // type, stack: objects, bytes
  protocol::AllocationCountCosts costs;
  protocol::AllocationsBegun begun;

  uint64_t Objects() const {
    uint64_t objects = 0;
    for (const auto& [key, sum] : sums) objects += sum.first;
    return objects;
  }
};

class CountObserverTest : public ObserverTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(ObserverTest::SetUp());
    runtime_.frames = {kMake, 0, kMain};
  }

  void Start(uint32_t depth = 32) {
    stream::RecordWriter wishes;
    wishes(protocol::AllocationCountWishes{depth});
    ASSERT_EQ(observer_.Start({access_}, wishes.Bytes()), nullptr);
    ASSERT_TRUE(observer_.Begin(sink_));
  }
  // More may be said than a socket holds.
  void Finish() {
    std::atomic<bool> is_said{false};
    std::thread speaker([&] {
      EXPECT_TRUE(observer_.Drain(sink_));
      observer_.Finish(sink_);
      EXPECT_TRUE(sink_.Flush());
      is_said = true;
    });
    while (!is_said) ReadAll();
    speaker.join();
    ReadAll();
  }
  void ReadAll() {
    pollfd wait{client_, POLLIN, 0};
    while (poll(&wait, 1, 1) == 1) {
      const auto frame = ReceiveFrame(client_);
      ASSERT_TRUE(frame && frame->is_whole);
      for (std::span<const uint8_t> rest(frame->payload); !rest.empty();) Take(TakeBlock(rest));
    }
  }
  void Take(std::span<const uint8_t> block) {
    const auto rest = block.subspan(1);
    switch (static_cast<AllocationBlock>(block[0])) {
      case AllocationBlock::kBegun:
        told_.begun = Read<protocol::AllocationsBegun>(rest);
        return;
      case AllocationBlock::kType: {
        const auto type = Read<protocol::AllocationType>(rest);
        EXPECT_TRUE(told_.types.emplace(type.number, type.name).second);
        return;
      }
      case AllocationBlock::kMethod: {
        const auto method = Read<protocol::AllocationMethod>(rest);
        EXPECT_TRUE(told_.methods.emplace(method.number, method.name).second);
        return;
      }
      case AllocationBlock::kStack: {
        const auto stack = Read<protocol::AllocationStack>(rest);
        EXPECT_TRUE(told_.stacks.emplace(stack.number, stack).second);
        return;
      }
      case AllocationBlock::kCounts:
        for (const auto& count : Read<protocol::AllocationCounts>(rest).counts) Add(count);
        return;
      case AllocationBlock::kCountCosts:
        told_.costs = Read<protocol::AllocationCountCosts>(rest);
        return;
      default:
        FAIL() << "block " << int{block[0]};
    }
  }
  // Whatever a count names was told before.
  void Add(const protocol::AllocationCount& count) {
    EXPECT_TRUE(told_.types.contains(count.type));
    EXPECT_TRUE(count.stack == 0 || told_.stacks.contains(count.stack));
    auto& [objects, bytes] = told_.sums[{count.type, count.stack}];
    objects += count.objects;
    bytes += count.bytes;
  }

  CountObserver observer_;
  Told told_;
};

TEST_F(CountObserverTest, AsksForWhatIsTakenAtTheStartOnly) {
  Start();
  const ObserverNeeds needs = observer_.Needs();
  EXPECT_EQ(needs.low_mask, 0x10800100u);
  EXPECT_EQ(needs.high_mask, 0x4u);
  EXPECT_TRUE(needs.stays);
  EXPECT_TRUE(needs.providers.empty());
  Finish();
  EXPECT_EQ(told_.begun.source, protocol::AllocationSource::kCounted);
}

TEST_F(CountObserverTest, WishesThatCannotBeReadAreRefused) { EXPECT_NE(observer_.Start({access_}, {}), nullptr); }

// 3 orders of 24 bytes, 1 note of 30, which occupies 32.
TEST_F(CountObserverTest, AddsUpByTypeAndStack) {
  runtime_.size_of = [](abi::ObjectID object) { return object == 0x30 ? size_t{30} : size_t{24}; };
  Start();
  for (const abi::ObjectID object : {0x10, 0x20, 0x40}) observer_.OnObjectAllocated(object, kOrder);
  runtime_.frames = {kMain};
  observer_.OnObjectAllocated(0x30, kNote);
  Finish();
  ASSERT_EQ(told_.sums.size(), 2u);
  EXPECT_EQ(told_.sums.begin()->second, (std::pair<uint64_t, uint64_t>{3, 72}));
  EXPECT_EQ(told_.sums.rbegin()->second, (std::pair<uint64_t, uint64_t>{1, 32}));
  EXPECT_EQ(told_.stacks.at(told_.sums.begin()->first.second).methods.size(), 2u);
  EXPECT_EQ(told_.stacks.at(told_.sums.rbegin()->first.second).methods.size(), 1u);
  EXPECT_EQ(told_.costs.objects, 4u);
  EXPECT_EQ(told_.costs.dropped_objects + told_.costs.dropped_stacks + told_.costs.without_stack, 0u);
}

TEST_F(CountObserverTest, TellsWhatWasAddedSinceItToldBefore) {
  Start();
  observer_.OnObjectAllocated(0x10, kOrder);
  EXPECT_TRUE(observer_.Drain(sink_));
  observer_.OnObjectAllocated(0x20, kOrder);
  observer_.OnObjectAllocated(0x30, kOrder);
  Finish();
  ASSERT_EQ(told_.sums.size(), 1u);
  EXPECT_EQ(told_.sums.begin()->second, (std::pair<uint64_t, uint64_t>{3, 72}));
}

TEST_F(CountObserverTest, ThreadsThatEndLeaveTheirCounts) {
  Start();
  for (int i = 0; i < 50; ++i) {
    std::thread([&] {
      for (int k = 0; k < 100; ++k) observer_.OnObjectAllocated(0x10, kOrder);
    }).join();
    EXPECT_TRUE(observer_.Drain(sink_));
  }
  Finish();
  ASSERT_EQ(told_.sums.size(), 1u);  // the same stack, whichever thread it was
  EXPECT_EQ(told_.sums.begin()->second, (std::pair<uint64_t, uint64_t>{5000, 120'000}));
}

TEST_F(CountObserverTest, AStackThatIsRefusedStillCounts) {
  runtime_.frames.clear();
  Start();
  observer_.OnObjectAllocated(0x10, kOrder);
  Finish();
  ASSERT_EQ(told_.sums.size(), 1u);
  EXPECT_EQ(told_.sums.begin()->first.second, 0u);
  EXPECT_EQ(told_.costs.without_stack, 1u);
}

TEST_F(CountObserverTest, DeepStacksAreCut) {
  runtime_.frames.assign(300, kMake);
  Start(8);
  observer_.OnObjectAllocated(0x10, kOrder);
  Finish();
  ASSERT_EQ(told_.stacks.size(), 1u);
  EXPECT_TRUE(told_.stacks.begin()->second.cut);
  EXPECT_EQ(told_.stacks.begin()->second.methods.size(), 8u);
}

// A type for each row of a thread's table, and three more.
TEST_F(CountObserverTest, WhatDoesNotFitIsCounted) {
  Start();
  for (uint64_t i = 0; i < CountTable::kMostRows + 3; ++i) observer_.OnObjectAllocated(0x10, kOrder + 8 * i);
  Finish();
  EXPECT_EQ(told_.Objects(), CountTable::kMostRows);
  EXPECT_EQ(told_.costs.objects, CountTable::kMostRows);
  EXPECT_EQ(told_.costs.dropped_objects, 3u);
  EXPECT_EQ(told_.costs.dropped_bytes, 72u);
}

// This runtime does not say what a class is: such a one is named on the spot, and forgotten when a module goes.
TEST_F(CountObserverTest, AnIdThatIsGivenAgainIsAnotherType) {
  Start();
  observer_.OnObjectAllocated(0x10, kOrder);
  observer_.OnModuleUnloadStarted(0x1000);
  observer_.OnObjectAllocated(0x10, kOrder);
  Finish();
  EXPECT_EQ(told_.types.size(), 2u);
  EXPECT_EQ(told_.sums.size(), 2u);
}

}  // namespace
}  // namespace cairn::collector
