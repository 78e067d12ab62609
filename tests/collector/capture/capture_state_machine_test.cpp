#include "collector/capture/capture_state_machine.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace cairn::collector {
namespace {

using Action = CaptureAction;
using Event = CaptureEvent;
using State = CaptureState;

struct Case {
  State state;
  Event event;
  State next;
  Action action;
};

// Everything that changes something. What is not listed must leave the state alone.
constexpr Case kChanges[] = {
    {State::kConnected, Event::kMaskAccepted, State::kAttached, Action::kNone},
    {State::kConnected, Event::kMaskRefused, State::kFailed, Action::kLetGo},
    {State::kConnected, Event::kClientGone, State::kFailed, Action::kLetGo},
    {State::kConnected, Event::kCancelled, State::kFailed, Action::kLetGo},
    {State::kConnected, Event::kTimedOut, State::kFailed, Action::kLetGo},
    {State::kConnected, Event::kShutdown, State::kFailed, Action::kLetGo},
    {State::kConnected, Event::kBroken, State::kFailed, Action::kLetGo},

    {State::kAttached, Event::kPrepared, State::kArmed, Action::kCollect},
    {State::kAttached, Event::kClientGone, State::kFailed, Action::kGiveUp},
    {State::kAttached, Event::kCancelled, State::kFailed, Action::kGiveUp},
    {State::kAttached, Event::kTimedOut, State::kFailed, Action::kGiveUp},
    {State::kAttached, Event::kShutdown, State::kFailed, Action::kLetGo},
    {State::kAttached, Event::kBroken, State::kFailed, Action::kGiveUp},

    {State::kArmed, Event::kCollectionStarted, State::kCollecting, Action::kNone},
    {State::kArmed, Event::kTriggerReturned, State::kFailed, Action::kGiveUp},
    {State::kArmed, Event::kClientGone, State::kFailed, Action::kGiveUp},
    {State::kArmed, Event::kCancelled, State::kFailed, Action::kGiveUp},
    {State::kArmed, Event::kTimedOut, State::kFailed, Action::kGiveUp},
    {State::kArmed, Event::kShutdown, State::kFailed, Action::kLetGo},
    {State::kArmed, Event::kBroken, State::kFailed, Action::kGiveUp},

    {State::kCollecting, Event::kRootsAhead, State::kCollecting, Action::kRecordRoots},
    {State::kCollecting, Event::kCollectionFinished, State::kWalking, Action::kWalk},
    {State::kCollecting, Event::kTriggerReturned, State::kFailed, Action::kGiveUp},
    {State::kCollecting, Event::kClientGone, State::kFailed, Action::kGiveUp},
    {State::kCollecting, Event::kCancelled, State::kFailed, Action::kGiveUp},
    {State::kCollecting, Event::kTimedOut, State::kFailed, Action::kGiveUp},
    {State::kCollecting, Event::kShutdown, State::kFailed, Action::kLetGo},
    {State::kCollecting, Event::kBroken, State::kFailed, Action::kGiveUp},

    // In the pause only the walk itself, its failure and the target's end count.
    {State::kWalking, Event::kWalked, State::kNaming, Action::kName},
    {State::kWalking, Event::kWalkRefused, State::kFailed, Action::kGiveUp},
    {State::kWalking, Event::kShutdown, State::kFailed, Action::kLetGo},
    {State::kWalking, Event::kBroken, State::kFailed, Action::kGiveUp},

    {State::kNaming, Event::kNamed, State::kSending, Action::kDetachAndSend},
    {State::kNaming, Event::kClientGone, State::kFailed, Action::kGiveUp},
    {State::kNaming, Event::kCancelled, State::kFailed, Action::kGiveUp},
    {State::kNaming, Event::kShutdown, State::kFailed, Action::kLetGo},
    {State::kNaming, Event::kBroken, State::kFailed, Action::kGiveUp},

    {State::kSending, Event::kSent, State::kDone, Action::kFinish},
    {State::kSending, Event::kClientGone, State::kFailed, Action::kGiveUp},
    {State::kSending, Event::kCancelled, State::kFailed, Action::kGiveUp},
    {State::kSending, Event::kShutdown, State::kFailed, Action::kLetGo},
    {State::kSending, Event::kBroken, State::kFailed, Action::kGiveUp},
};

std::string Name(State state, Event event) {
  return std::string(protocol::StateName(state)) + " / event " + std::to_string(static_cast<int>(event));
}

const Case* Find(State state, Event event) {
  for (const Case& c : kChanges) {
    if (c.state == state && c.event == event) return &c;
  }
  return nullptr;
}

TEST(CaptureStateMachineTest, EveryEventInEveryState) {
  for (size_t s = 0; s < kCaptureStateCount; ++s) {
    for (size_t e = 0; e < kCaptureEventCount; ++e) {
      const auto state = static_cast<State>(s);
      const auto event = static_cast<Event>(e);
      const Case* change = Find(state, event);
      const CaptureTransition got = Decide(state, event);
      EXPECT_EQ(got.next, change != nullptr ? change->next : state) << Name(state, event);
      EXPECT_EQ(got.action, change != nullptr ? change->action : Action::kNone) << Name(state, event);
    }
  }
}

TEST(CaptureStateMachineTest, NeverGoesBack) {
  for (const Case& c : kChanges) EXPECT_GE(c.next, c.state) << Name(c.state, c.event);
}

TEST(CaptureStateMachineTest, EveryStateIsReachedAndLeft) {
  std::set<State> reached{State::kConnected}, left;
  for (const Case& c : kChanges) {
    reached.insert(c.next);
    if (c.next != c.state) left.insert(c.state);
  }
  EXPECT_EQ(reached.size(), kCaptureStateCount);
  EXPECT_EQ(left.size(), kCaptureStateCount - 2) << "all but done and failed";
}

// Columns: connected attached armed collecting walking naming sending done failed.
TEST(CaptureStateMachineTest, LegalCalls) {
  const std::pair<RuntimeCall, const char*> table[] = {
      {RuntimeCall::kSetFirstMask, "x........"},   {RuntimeCall::kSetMonitorGc, "..xx....."},
      {RuntimeCall::kClearMonitorGc, ".xxxxxx.x"}, {RuntimeCall::kStartSession, ".x......."},
      {RuntimeCall::kStopSession, ".....xx.x"},    {RuntimeCall::kCollect, "..xx....."},
      {RuntimeCall::kHeapBounds, ".x..x...."},     {RuntimeCall::kInspectObjects, "....x...."},
      {RuntimeCall::kCreateHandle, "....x...."},   {RuntimeCall::kDestroyHandle, ".....xx.x"},
      {RuntimeCall::kNames, ".....x..."},          {RuntimeCall::kRequestDetach, "......x.x"},
  };
  ASSERT_EQ(std::size(table), kRuntimeCallCount);
  for (const auto& [call, row] : table) {
    for (size_t s = 0; s < kCaptureStateCount; ++s) {
      const auto state = static_cast<State>(s);
      EXPECT_EQ(IsLegal(state, call), row[s] == 'x')
          << "call " << static_cast<int>(call) << " in " << protocol::StateName(state);
    }
  }
}

}  // namespace
}  // namespace cairn::collector
