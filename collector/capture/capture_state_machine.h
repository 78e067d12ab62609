#pragma once
// What a capture may do next. Pure: no runtime, no thread, no clock. The owner keeps the current state in
// an atomic and asks here; each runtime call is made only where `IsLegal` says so.

#include <cstddef>
#include <cstdint>

#include "collector/protocol/protocol.h"

namespace cairn::collector {

using protocol::CaptureState;

enum class CaptureEvent : uint8_t {
  kMaskAccepted,        // SetEventMask2 succeeded in InitializeForAttach
  kMaskRefused,         // it did not; the runtime will let go of the library
  kPrepared,            // event session started, tables ready
  kCollectionStarted,   // one that fits: see GcTracker
  kRootsAhead,          // marking and compacting are over, the root walk comes next (event 205)
  kCollectionFinished,  // GarbageCollectionFinished, runtime suspended, roots of this collection recorded
  kTriggerReturned,     // the collection was asked for or awaited, and nothing more will be done for it
  kWalked,              // every range was visited
  kWalkRefused,         // the walk was not begun: it would take longer than allowed
  kNamed,               // types, roots, threads and statics were sent
  kSent,                // the last frame was accepted by the socket
  kClientGone,          // end of file, broken pipe, or not reading for too long
  kCancelled,           // the client asked to stop
  kTimedOut,            // the collection did not come
  kShutdown,            // the target is exiting
  kBroken,              // we cannot go on: no memory, no thread, a fault of ours
};
inline constexpr size_t kCaptureEventCount = 16;
inline constexpr size_t kCaptureStateCount = 9;

enum class CaptureAction : uint8_t {
  kNone,
  kRecordRoots,  // forget earlier roots, ask for this collection's
  kWalk,
  kCollect,
  kName,
  kDetachAndSend,
  kFinish,  // everything is over: give the memory back
  kGiveUp,  // detach as soon as no call of ours is inside the runtime, then give the memory back
  kLetGo,   // nothing of the runtime may be touched any more: give the memory back only
};

struct CaptureTransition {
  CaptureState next{};
  CaptureAction action{};
};

// Total: every event is defined in every state; one that does not belong there changes nothing.
CaptureTransition Decide(CaptureState state, CaptureEvent event);

enum class RuntimeCall : uint8_t {
  kSetFirstMask,  // with MONITOR_GC; later than InitializeForAttach it would be refused
  kSetMonitorGc,  // switch it on again
  kClearMonitorGc,
  kStartSession,
  kStopSession,
  kCollect,  // ForceGC, or generation 0 through the hosting interface
  kHeapBounds,
  kInspectObjects,  // sizes, classes and references of objects
  kCreateHandle,
  kDestroyHandle,
  kNames,  // metadata, modules, threads
  kRequestDetach,
};
inline constexpr size_t kRuntimeCallCount = 12;

bool IsLegal(CaptureState state, RuntimeCall call);

}  // namespace cairn::collector
