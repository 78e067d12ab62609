#include "collector/capture/root_events.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "collector/abi/structs.h"

namespace cairn::collector {
namespace {

// Packed, as the runtime writes it.
class Payload {
 public:
  Payload(uint32_t index, uint32_t count) {
    Put(index);
    Put(count);
    Put(uint16_t{7});  // the runtime's instance
  }
  template <class Value>
  Payload& Put(Value value) {
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
    return *this;
  }
  Payload& Root(uint64_t object, uint8_t kind, uint32_t flags, uint64_t id) {
    return Put(object).Put(kind).Put(flags).Put(id);
  }
  Payload& Dependent(uint64_t key, uint64_t value) { return Put(key).Put(value).Put(uint64_t{0xAAAA}); }
  std::span<const uint8_t> Bytes() const { return bytes_; }
  std::span<const uint8_t> CutBy(size_t bytes) const { return Bytes().first(bytes_.size() - bytes); }

 private:
  std::vector<uint8_t> bytes_;
};

class RootEventsTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(recorder_.Map(100, 1)); }
  RootRecorder recorder_;
  RootEvents events_{recorder_};
};

TEST_F(RootEventsTest, KindsAndFlagsAsTheCallbacksHaveThem) {
  events_.OnRootEdges(
      Payload(0, 4).Root(0x10, 0, 4, 0x1).Root(0x20, 1, 0, 0).Root(0x30, 2, 3, 0x3).Root(0x40, 3, 0, 0).Bytes());
  ASSERT_EQ(recorder_.Roots().size(), 4u);
  EXPECT_TRUE(events_.HasRoots());
  const RecordedRoot& local = recorder_.Roots()[0];
  EXPECT_EQ(local.object, 0x10u);
  EXPECT_EQ(local.id, 0x1u);
  EXPECT_EQ(local.flags, 4u);
  EXPECT_EQ(local.kind, static_cast<uint32_t>(abi::GcRootKind::kStack));
  EXPECT_EQ(recorder_.Roots()[1].kind, static_cast<uint32_t>(abi::GcRootKind::kFinalizer));
  EXPECT_EQ(recorder_.Roots()[2].kind, static_cast<uint32_t>(abi::GcRootKind::kHandle));
  EXPECT_EQ(recorder_.Roots()[2].flags, 3u);
  EXPECT_EQ(recorder_.Roots()[3].kind, static_cast<uint32_t>(abi::GcRootKind::kOther));
}

TEST_F(RootEventsTest, SeveralEventsMakeOneSet) {
  events_.OnRootEdges(Payload(0, 1).Root(0x10, 0, 0, 0).Bytes());
  events_.OnDependents(Payload(0, 1).Dependent(0x11, 0x12).Bytes());
  events_.OnRootEdges(Payload(1, 1).Root(0x20, 0, 0, 0).Bytes());
  events_.OnDependents(Payload(1, 1).Dependent(0x21, 0x22).Bytes());
  EXPECT_EQ(recorder_.Roots().size(), 2u);
  ASSERT_EQ(recorder_.Dependents().size(), 2u);
  EXPECT_EQ(recorder_.Dependents()[1].primary, 0x21u);
  EXPECT_EQ(recorder_.Dependents()[1].secondary, 0x22u);
  EXPECT_TRUE(events_.HasRoots());
}

TEST_F(RootEventsTest, TheLastSetCounts) {
  events_.OnRootEdges(Payload(0, 1).Root(0x10, 0, 0, 0).Bytes());
  events_.OnDependents(Payload(0, 1).Dependent(0x11, 0x12).Bytes());
  events_.OnRootEdges(Payload(0, 1).Root(0x20, 0, 0, 0).Bytes());
  ASSERT_EQ(recorder_.Roots().size(), 1u);
  EXPECT_EQ(recorder_.Roots()[0].object, 0x20u);
  EXPECT_EQ(recorder_.Dependents().size(), 1u) << "each list begins anew with its own number 0";
}

TEST_F(RootEventsTest, AMissingEventMakesTheSetUnusable) {
  events_.OnRootEdges(Payload(0, 1).Root(0x10, 0, 0, 0).Bytes());
  events_.OnRootEdges(Payload(2, 1).Root(0x30, 0, 0, 0).Bytes());
  EXPECT_FALSE(events_.HasRoots());
  events_.OnRootEdges(Payload(0, 1).Root(0x40, 0, 0, 0).Bytes());
  EXPECT_TRUE(events_.HasRoots()) << "a whole set after it";
  events_.OnDependents(Payload(1, 0).Bytes());
  EXPECT_FALSE(events_.HasRoots());
}

TEST_F(RootEventsTest, ShorterThanItSaysIsNotRead) {
  events_.OnRootEdges(Payload(0, 2).Root(0x10, 0, 0, 0).Root(0x20, 0, 0, 0).CutBy(1));
  EXPECT_FALSE(events_.HasRoots());
  EXPECT_TRUE(recorder_.Roots().empty());
  events_.OnRootEdges(Payload(0, 0xFFFFFFFF).Bytes());
  events_.OnRootEdges({});
  EXPECT_FALSE(events_.HasRoots());
}

TEST_F(RootEventsTest, NothingAtAllIsNoSet) {
  EXPECT_FALSE(events_.HasRoots());
  events_.OnRootEdges(Payload(0, 1).Root(0x10, 0, 0, 0).Bytes());
  events_.Reset();
  EXPECT_FALSE(events_.HasRoots());
  EXPECT_TRUE(recorder_.Roots().empty());
}

}  // namespace
}  // namespace cairn::collector
