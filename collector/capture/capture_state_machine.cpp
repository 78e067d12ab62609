#include "collector/capture/capture_state_machine.h"

namespace cairn::collector {

namespace {

using Action = CaptureAction;
using Event = CaptureEvent;
using State = CaptureState;

struct Rule {
  State state;
  Event event;
  State next;
  Action action;
};

// Everything that is not listed leaves the state as it is. Endings by the client, the clock and the
// target are not listed: see Ending.
constexpr Rule kRules[] = {
    {State::kConnected, Event::kMaskAccepted, State::kAttached, Action::kNone},
    {State::kConnected, Event::kMaskRefused, State::kFailed, Action::kLetGo},
    {State::kAttached, Event::kPrepared, State::kArmed, Action::kCollect},
    {State::kArmed, Event::kCollectionStarted, State::kCollecting, Action::kNone},
    {State::kArmed, Event::kTriggerReturned, State::kFailed, Action::kGiveUp},
    {State::kCollecting, Event::kRootsAhead, State::kCollecting, Action::kRecordRoots},
    {State::kCollecting, Event::kCollectionFinished, State::kWalking, Action::kWalk},
    {State::kCollecting, Event::kTriggerReturned, State::kFailed, Action::kGiveUp},
    {State::kWalking, Event::kWalked, State::kNaming, Action::kName},
    {State::kWalking, Event::kWalkRefused, State::kFailed, Action::kGiveUp},
    {State::kNaming, Event::kNamed, State::kSending, Action::kDetachAndSend},
    {State::kSending, Event::kSent, State::kDone, Action::kFinish},
};

bool IsOver(State state) { return state == State::kDone || state == State::kFailed; }

// Before the mask is set the runtime knows nothing of us, and there is nothing to detach from.
CaptureTransition GiveUp(State state) {
  return {State::kFailed, state == State::kConnected ? Action::kLetGo : Action::kGiveUp};
}

// How a capture ends from outside. In the pause nothing is cut short: the walk ends first, and the
// client's absence shows again at the next send.
CaptureTransition Ending(State state, Event event) {
  if (IsOver(state)) return {state, Action::kNone};
  if (event == Event::kShutdown) return {State::kFailed, Action::kLetGo};
  if (event == Event::kBroken) return GiveUp(state);
  if (state == State::kWalking) return {state, Action::kNone};
  const bool collection_is_over = state == State::kNaming || state == State::kSending;
  if (event == Event::kTimedOut && collection_is_over) return {state, Action::kNone};
  return GiveUp(state);
}

bool IsEnding(Event event) {
  return event == Event::kClientGone || event == Event::kCancelled || event == Event::kTimedOut ||
         event == Event::kShutdown || event == Event::kBroken;
}

constexpr uint16_t Bit(State state) { return static_cast<uint16_t>(1u << static_cast<unsigned>(state)); }

constexpr uint16_t kAfterMask = Bit(State::kAttached) | Bit(State::kArmed) | Bit(State::kCollecting) |
                                Bit(State::kNaming) | Bit(State::kSending) | Bit(State::kFailed);

// By RuntimeCall: the states in which it may be made.
constexpr uint16_t kLegal[kRuntimeCallCount] = {
    Bit(State::kConnected),                                            // kSetFirstMask
    Bit(State::kArmed) | Bit(State::kCollecting),                      // kSetMonitorGc
    kAfterMask | Bit(State::kWalking),                                 // kClearMonitorGc
    Bit(State::kAttached),                                             // kStartSession
    Bit(State::kNaming) | Bit(State::kSending) | Bit(State::kFailed),  // kStopSession
    Bit(State::kArmed) | Bit(State::kCollecting),                      // kCollect
    Bit(State::kAttached) | Bit(State::kWalking),                      // kHeapBounds
    Bit(State::kWalking),                                              // kInspectObjects
    Bit(State::kWalking),                                              // kCreateHandle
    Bit(State::kNaming) | Bit(State::kSending) | Bit(State::kFailed),  // kDestroyHandle
    Bit(State::kNaming),                                               // kNames
    Bit(State::kSending) | Bit(State::kFailed),                        // kRequestDetach
};

}  // namespace

CaptureTransition Decide(CaptureState state, CaptureEvent event) {
  if (IsEnding(event)) return Ending(state, event);
  for (const Rule& rule : kRules) {
    if (rule.state == state && rule.event == event) return {rule.next, rule.action};
  }
  return {state, Action::kNone};
}

bool IsLegal(CaptureState state, RuntimeCall call) { return (kLegal[static_cast<size_t>(call)] & Bit(state)) != 0; }

}  // namespace cairn::collector
