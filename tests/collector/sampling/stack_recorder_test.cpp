#include "collector/sampling/stack_recorder.h"

#include <gtest/gtest.h>

#include <vector>

namespace cairn::collector {
namespace {

// A runtime that knows one thing: its callers' frames. The slot is pinned in tests/collector/abi.
class StackedRuntime {
  using Slot = void (*)();
  Slot* slots_ = table_;  // first: what an interface pointer points to
  Slot table_[64] = {};

 public:
  StackedRuntime() { table_[36] = reinterpret_cast<Slot>(&Snapshot); }
  abi::ICorProfilerInfo2& Info() { return *reinterpret_cast<abi::ICorProfilerInfo2*>(this); }

  std::vector<abi::FunctionID> frames;  // 0: native ones
  size_t told = 0;
  abi::ThreadID asked_thread = 99;
  bool refuses = false;

 private:
  static abi::HRESULT CAIRN_STDCALL Snapshot(StackedRuntime* self, abi::ThreadID thread,
                                             abi::StackSnapshotCallback* callback, uint32_t, void* client, uint8_t*,
                                             uint32_t) {
    self->asked_thread = thread;
    if (self->refuses) return abi::kErrorStackSnapshotUnsafe;
    for (const abi::FunctionID frame : self->frames) {
      ++self->told;
      if (abi::Failed(callback(frame, 1, 0, 0, nullptr, client))) return abi::kErrorStackSnapshotAborted;
    }
    return abi::kOk;
  }

};

class StackRecorderTest : public testing::Test {
 protected:
  std::vector<abi::FunctionID> Record(uint32_t depth) {
    RecordedStack stack;
    stack.size = 7;
    RecordOwnStack(runtime_.Info(), depth, &stack);
    cut_ = stack.cut;
    return {stack.functions.begin(), stack.functions.begin() + stack.size};
  }
  StackedRuntime runtime_;
  bool cut_ = false;
};

TEST_F(StackRecorderTest, ManagedFramesOnly) {
  runtime_.frames = {0, 11, 0, 0, 12, 13, 0};
  EXPECT_EQ(Record(32), (std::vector<abi::FunctionID>{11, 12, 13}));
  EXPECT_FALSE(cut_);
  EXPECT_EQ(runtime_.asked_thread, 0u);  // itself
}

TEST_F(StackRecorderTest, CutWhereThereAreMore) {
  runtime_.frames = {11, 12, 0, 13, 14, 15};
  EXPECT_EQ(Record(2), (std::vector<abi::FunctionID>{11, 12}));
  EXPECT_TRUE(cut_);
  EXPECT_EQ(runtime_.told, 4u);  // the walk ended with the third managed frame
}

TEST_F(StackRecorderTest, NotCutWhereItJustFits) {
  runtime_.frames = {11, 12, 0};
  EXPECT_EQ(Record(2).size(), 2u);
  EXPECT_FALSE(cut_);
}

TEST_F(StackRecorderTest, NeverMoreThanThereIsRoom) {
  runtime_.frames.assign(300, 5);
  EXPECT_EQ(Record(1000).size(), RecordedStack::kMostFrames);
  EXPECT_TRUE(cut_);
}

TEST_F(StackRecorderTest, ARefusalIsNoStack) {
  runtime_.refuses = true;
  EXPECT_TRUE(Record(32).empty());
}

}  // namespace
}  // namespace cairn::collector
