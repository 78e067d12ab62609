#include "viewer/analysis/dotnet/path_sense.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::analysis::dotnet {
namespace {

using ::testing::ElementsAre;

constexpr char kBox[] =
    "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<System.Int32>+AsyncStateMachineBox<Shop.Worker+<Run>d__5>";

struct Step {
  const char* type;
  const char* field;
};

// Types as a snapshot has them; delegates derive from System.MulticastDelegate by way of their base.
class Sense : public ::testing::Test {
 protected:
  TypeIndex Type(const std::string& name) {
    for (uint32_t i = 0; i < types_.size(); ++i)
      if (types_[i].name == name) return TypeIndex(i);
    types_.emplace_back().name = name;
    if (name.starts_with("System.EventHandler") || name.starts_with("System.Action") || name == "Shop.Changed")
      types_.back().base = "System.MulticastDelegate";
    if (name == "System.Threading.Tasks.Task+DelayPromise") types_.back().base = "System.Threading.Tasks.Task";
    return TypeIndex(static_cast<uint32_t>(types_.size() - 1));
  }

  std::vector<std::string> Of(std::vector<Step> steps) {
    for (const Step& step : steps) Type(step.type);
    TypeRoles roles(types_);
    PathSense sense(roles);
    std::vector<std::string> words;
    for (const Step& step : steps) words.push_back(sense.Next(Type(step.type), step.field));
    return words;
  }

  std::vector<snapshot::Type> types_;
};

TEST_F(Sense, SubscriberOfAnEvent) {
  EXPECT_THAT(
      Of({{"Shop.Prices", "Shop.Prices.Instance"}, {"System.EventHandler", "Changed"}, {"Shop.Order", "_target"}}),
      ElementsAre("", "handler in Shop.Prices.Changed", "subscriber of Shop.Prices.Changed"));
}

TEST_F(Sense, OneOfManySubscribers) {
  EXPECT_THAT(Of({{"Shop.Prices", "Shop.Prices.Instance"},
                  {"System.EventHandler", "Changed"},
                  {"System.Object[]", "_invocationList"},
                  {"System.EventHandler", "[3]"},
                  {"Shop.Order", "_target"},
                  {"Shop.Customer", "_customer"}}),
              ElementsAre("", "handler in Shop.Prices.Changed", "handlers in Shop.Prices.Changed",
                          "handler in Shop.Prices.Changed", "subscriber of Shop.Prices.Changed", ""));
}

TEST_F(Sense, StaticEvent) {
  EXPECT_THAT(Of({{"Shop.Changed", "Shop.Prices.Changed"}, {"Shop.Order+<>c__DisplayClass1_0", "_target"}}),
              ElementsAre("handler in Shop.Prices.Changed",
                          "subscriber of Shop.Prices.Changed, variables of a lambda in Shop.Order"));
}

TEST_F(Sense, DelegatesInACollection) {
  EXPECT_THAT(Of({{"System.Object[]", "Shop.All"}, {"System.Action", "[1]"}, {"Shop.Order", "_target"}}),
              ElementsAre("", "handler in [1]", "subscriber of [1]"));
}

TEST_F(Sense, Timers) {
  EXPECT_THAT(Of({{"System.Threading.TimerQueue[]", "System.Threading.TimerQueue.Instances"},
                  {"System.Threading.TimerQueue", "[0]"},
                  {"System.Threading.TimerQueueTimer", "_shortTimers"},
                  {"System.Action", "_timerCallback"},
                  {"Shop.Poller", "_target"}}),
              ElementsAre("", "", "timer", "callback of a timer", "called back by a timer"));
}

TEST_F(Sense, AsyncMethodThatWaitsForATimer) {
  EXPECT_THAT(Of({{"System.Threading.TimerQueueTimer", "_shortTimers"},
                  {"System.Threading.Tasks.Task+DelayPromise", "_state"},
                  {kBox, "m_continuationObject"}}),
              ElementsAre("timer", "state of a timer", "async method Shop.Worker.Run"));
}

TEST_F(Sense, CancellationTokens) {
  EXPECT_THAT(Of({{"System.Threading.CancellationTokenSource+CallbackNode", "Callbacks"},
                  {"System.Action", "Callback"},
                  {"Shop.Request", "_target"}}),
              ElementsAre("callback registered with a CancellationToken", "callback of a CancellationToken",
                          "called back by a CancellationToken"));
}

TEST_F(Sense, StepsThatWereLeftOutAreForgotten) {
  Type("System.Action");
  Type("Shop.Order");
  TypeRoles roles(types_);
  PathSense sense(roles);
  sense.Next(Type("System.Action"), "Shop.A");
  sense.Skip();
  EXPECT_EQ(sense.Next(Type("Shop.Order"), "_target"), "");
}

TEST_F(Sense, CirclesOfBasesEnd) {
  Type("A");
  Type("B");
  types_[0].base_type = 1;
  types_[1].base_type = 0;
  TypeRoles roles(types_);
  EXPECT_EQ(roles.Of(TypeIndex(0)), Role::kNone);
}

}  // namespace
}  // namespace cairn::analysis::dotnet
