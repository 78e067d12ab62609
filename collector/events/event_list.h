#pragma once
// The runtime's events that the log is made of: their numbers, groups, keywords and levels, in one table. The provider
// is Microsoft-Windows-DotNETRuntime; what comes from callbacks instead is in the observer.

#include <cstdint>

#include "collector/protocol/event_observation.h"

namespace cairn::collector {

using protocol::EventGroup;

enum RuntimeEvent : uint16_t {
  kGcStart = 1,
  kGcEnd = 2,
  kRestartEnd = 3,
  kGcHeapStats = 4,
  kRestartBegin = 7,
  kSuspendEnd = 8,
  kSuspendBegin = 9,
  kFinalizersEnd = 13,
  kPoolWorkerStart = 50,
  kPoolWorkerStop = 51,
  kPoolSample = 54,
  kPoolAdjustment = 55,
  kTypeLoadStop = 74,
  kExceptionThrown = 80,
  kContentionStart = 81,
  kThreadCreatedEvent = 85,
  kContentionStop = 91,
  kMethodLoad = 143,
  kMethodUnload = 144,
  kModuleLoad = 152,
  kModuleUnload = 153,
  kAssemblyLoad = 154,
  kAssemblyUnload = 155,
};

// Of the callbacks, in the same numbering as the events.
enum CallbackRecord : uint16_t { kThreadCreated = 1000, kThreadDestroyed, kThreadAssigned, kThreadNamed };

struct ListedEvent {
  uint16_t id;
  EventGroup group;
  const char* name;
};

// nullptr: not part of the log.
const ListedEvent* FindEvent(uint32_t id);

// What a session has to ask for, so that the events of these groups come.
struct EventSubscription {
  uint64_t keywords = 0;
  uint32_t level = 0;
};
EventSubscription SubscriptionFor(uint32_t groups);

}  // namespace cairn::collector
