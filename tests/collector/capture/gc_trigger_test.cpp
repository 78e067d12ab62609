#include "collector/capture/gc_trigger.h"

#include <gtest/gtest.h>

#include "collector/capture/clock.h"
#include "tests/collector/capture/fake_runtime.h"

namespace cairn::collector {
namespace {

struct Inducer : GcInducer {
  bool Prepare() override { return available; }
  void CollectGeneration0() override {
    if (++induced == satisfied_by) wanted = false;
  }
  bool available = true, wanted = true;
  int induced = 0, satisfied_by = 1;
};

// A natural collection comes after so many looks.
struct Progress : GcTrigger::Progress {
  explicit Progress(Inducer& inducer) : inducer_(inducer) {}
  bool Wanted() const override { return inducer_.wanted && ++looks < natural_after; }
  bool Collecting() const override { return collecting_looks-- > 0; }
  Inducer& inducer_;
  mutable int looks = 0, collecting_looks = 0;
  int natural_after = 1 << 30;
};

class GcTriggerTest : public ::testing::Test {
 protected:
  GcTriggerTest() { options_.gc = protocol::GcRequest::kYoung; }
  TriggerOutcome Run() {
    GcTrigger trigger(options_, inducer_);
    trigger.Prepare();
    return trigger.Collect(*runtime_.As<abi::ICorProfilerInfo10>(), progress_);
  }
  protocol::Options options_;
  Inducer inducer_;
  Progress progress_{inducer_};
  FakeRuntime runtime_;
};

TEST_F(GcTriggerTest, InducesAtOnceAndNeverForces) {
  EXPECT_EQ(Run(), TriggerOutcome::kReturned);
  EXPECT_EQ(inducer_.induced, 1);
  EXPECT_EQ(runtime_.forced, 0);
}

TEST_F(GcTriggerTest, AsksAgainWhereACollectionUnderWayAnsweredInstead) {
  inducer_.satisfied_by = 3;
  EXPECT_EQ(Run(), TriggerOutcome::kReturned);
  EXPECT_EQ(inducer_.induced, 3);
}

TEST_F(GcTriggerTest, AsksThreeTimesOnly) {
  inducer_.satisfied_by = 100;
  EXPECT_EQ(Run(), TriggerOutcome::kReturned);
  EXPECT_EQ(inducer_.induced, 3);
  EXPECT_EQ(runtime_.forced, 0);
}

TEST_F(GcTriggerTest, ANaturalOneSparesTheInducedOne) {
  options_.wait_natural_ms = 60000;
  progress_.natural_after = 5;
  EXPECT_EQ(Run(), TriggerOutcome::kReturned);
  EXPECT_EQ(inducer_.induced, 0);
}

TEST_F(GcTriggerTest, NoneNaturalAndNoWayToInduce) {
  inducer_.available = false;
  options_.wait_natural_ms = 1;
  EXPECT_EQ(Run(), TriggerOutcome::kNoneNatural);
  EXPECT_EQ(runtime_.forced, 0) << "never a full one unasked";
}

TEST_F(GcTriggerTest, OneThatHasBegunIsNotGivenUpForTheClock) {
  inducer_.available = false;
  options_.wait_natural_ms = 1;
  progress_.collecting_looks = 20;
  progress_.natural_after = 15;
  EXPECT_EQ(Run(), TriggerOutcome::kReturned);
  EXPECT_EQ(progress_.looks, 16);  // 14 in vain, the 15th, one for the result
}

TEST_F(GcTriggerTest, HowLongANaturalOneIsAwaited) {
  EXPECT_EQ(GcTrigger::NaturalWaitMs(options_, true), 0u);
  EXPECT_EQ(GcTrigger::NaturalWaitMs(options_, false), 3000u);
  options_.wait_natural_ms = 250;
  EXPECT_EQ(GcTrigger::NaturalWaitMs(options_, true), 250u);
  EXPECT_EQ(GcTrigger::NaturalWaitMs(options_, false), 250u);
}

TEST_F(GcTriggerTest, ForcesAgainWhereACollectionUnderWayAnsweredInstead) {
  options_.gc = protocol::GcRequest::kFull;
  progress_.natural_after = 2;  // wanted still at the first look, not at the second
  EXPECT_EQ(Run(), TriggerOutcome::kReturned);
  EXPECT_EQ(runtime_.forced, 2);
  progress_.natural_after = 1 << 30;
  EXPECT_EQ(Run(), TriggerOutcome::kReturned);
  EXPECT_EQ(runtime_.forced, 2 + 3) << "three times only";
}

TEST_F(GcTriggerTest, FullAndLightForce) {
  inducer_.wanted = false;  // the first one will do
  options_.gc = protocol::GcRequest::kFull;
  EXPECT_EQ(Run(), TriggerOutcome::kReturned);
  EXPECT_EQ(runtime_.forced, 1);
  options_.gc = protocol::GcRequest::kYoung;
  options_.light = 1;
  EXPECT_EQ(Run(), TriggerOutcome::kReturned);
  EXPECT_EQ(runtime_.forced, 2);
  EXPECT_EQ(inducer_.induced, 0);
  runtime_.force_answer = abi::kErrorNotYetAvailable;
  EXPECT_EQ(Run(), TriggerOutcome::kRefused);
}

}  // namespace
}  // namespace cairn::collector
