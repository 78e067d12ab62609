#include "collector/capture/event_masks.h"

#include <gtest/gtest.h>

#include "tests/collector/capture/fake_runtime.h"

namespace cairn::collector {
namespace {

constexpr uint32_t kCaptureLow = abi::kMonitorSuspends | abi::kMonitorModuleLoads | abi::kEnableStackSnapshot;
constexpr uint32_t kCaptureHigh = abi::kHighBasicGc | abi::kHighMonitorEventPipe;
// Those of an observation: threads; large objects as they are allocated.
constexpr uint32_t kKeptLow = abi::kMonitorThreads;
constexpr uint32_t kKeptHigh = 0x40;

class EventMasksTest : public ::testing::Test {
 protected:
  void ExpectSet(uint32_t low, uint32_t high) const {
    EXPECT_EQ(runtime_.low_masks.back(), low);
    EXPECT_EQ(runtime_.high_masks.back(), high);
  }
  FakeRuntime runtime_;
  abi::ICorProfilerInfo5& info_ = *runtime_.As<abi::ICorProfilerInfo5>();
  EventMasks masks_;
};

TEST_F(EventMasksTest, ACaptureLeavesTheBitsOfAnObservation) {
  masks_.Keep(info_, kKeptLow, kKeptHigh);
  masks_.SetMonitorGc(info_, true);
  ExpectSet(kKeptLow | kCaptureLow | abi::kMonitorGc, kKeptHigh | kCaptureHigh);
  masks_.SetThreadCallbacks(info_, true);
  masks_.SetThreadCallbacks(info_, false);
  ExpectSet(kKeptLow | kCaptureLow, kKeptHigh | kCaptureHigh);
  masks_.EndCapture(info_);
  ExpectSet(kKeptLow, kKeptHigh);
}

TEST_F(EventMasksTest, AnObservationThatEndsLeavesTheBitsOfACapture) {
  masks_.Keep(info_, kKeptLow, kKeptHigh);
  masks_.SetMonitorGc(info_, false);
  masks_.Keep(info_, 0, 0);
  ExpectSet(kCaptureLow, kCaptureHigh);
}

TEST_F(EventMasksTest, NothingIsLeftOfEitherBehindTheDetach) {
  masks_.Keep(info_, kKeptLow, kKeptHigh);
  masks_.SetFirst(info_);
  masks_.Clear(info_);
  ExpectSet(0, 0);
  masks_.SetMonitorGc(info_, false);
  ExpectSet(kCaptureLow, kCaptureHigh);
}

// Such as the bit that makes a runtime tell of every object: it is taken at its start, and never given back.
TEST_F(EventMasksTest, WhatTheRuntimeKeepsIsNeverLeftOut) {
  constexpr uint32_t kWanted = abi::kEnableObjectAllocated | abi::kMonitorObjectAllocated;
  runtime_.mask_answer = abi::kFail;
  masks_.Keep(info_, kWanted, 0);
  runtime_.mask_answer = abi::kOk;
  masks_.Keep(info_, 0, 0);
  ExpectSet(0, 0);  // it was refused
  masks_.Keep(info_, kWanted, 0);
  masks_.Keep(info_, 0, 0);
  ExpectSet(abi::kEnableObjectAllocated, 0);
  masks_.SetMonitorGc(info_, false);
  ExpectSet(abi::kEnableObjectAllocated | kCaptureLow, kCaptureHigh);
  masks_.Clear(info_);
  ExpectSet(abi::kEnableObjectAllocated, 0);
}

// An attach later is refused a mask with a bit that is taken at the start only.
TEST_F(EventMasksTest, ARuntimeThatStartedWithoutUsHasKeptNothing) {
  masks_.Keep(info_, abi::kEnableObjectAllocated, 0);
  masks_.Forget();
  masks_.SetMonitorGc(info_, false);
  ExpectSet(kCaptureLow, kCaptureHigh);
}

TEST_F(EventMasksTest, WhatWasRefusedIsNotAskedForAgain) {
  runtime_.mask_answer = abi::kFail;
  EXPECT_EQ(masks_.SetFirst(info_), abi::kFail);
  runtime_.mask_answer = abi::kOk;
  masks_.Keep(info_, kKeptLow, kKeptHigh);
  ExpectSet(kKeptLow, kKeptHigh);
}

TEST_F(EventMasksTest, ARuntimeWithoutEventsIsNotAskedForThem) {
  runtime_.highest_info = 10;
  masks_.SetMonitorGc(info_, false);
  ExpectSet(kCaptureLow, abi::kHighBasicGc);
}

}  // namespace
}  // namespace cairn::collector
