#include "collector/events/event_list.h"

#include <algorithm>
#include <iterator>

namespace cairn::collector {

namespace {

// In order of their numbers.
constexpr ListedEvent kEvents[] = {
    {kGcStart, EventGroup::kGc, "gc-start"},
    {kGcEnd, EventGroup::kGc, "gc-end"},
    {kRestartEnd, EventGroup::kSuspend, "resume-end"},
    {kGcHeapStats, EventGroup::kGc, "gc-heap"},
    {kRestartBegin, EventGroup::kSuspend, "resume-begin"},
    {kSuspendEnd, EventGroup::kSuspend, "suspend-end"},
    {kSuspendBegin, EventGroup::kSuspend, "suspend-begin"},
    {kFinalizersEnd, EventGroup::kGc, "finalizers"},
    {kPoolWorkerStart, EventGroup::kThreadPool, "pool-worker-start"},
    {kPoolWorkerStop, EventGroup::kThreadPool, "pool-worker-stop"},
    {kPoolSample, EventGroup::kThreadPool, "pool-sample"},
    {kPoolAdjustment, EventGroup::kThreadPool, "pool-adjustment"},
    {kTypeLoadStop, EventGroup::kClass, "class-load"},
    {kExceptionThrown, EventGroup::kException, "exception"},
    {kContentionStart, EventGroup::kContention, "contention-start"},
    {kThreadCreatedEvent, EventGroup::kThread, "thread-start"},
    {kContentionStop, EventGroup::kContention, "contention-stop"},
    {kMethodLoad, EventGroup::kJit, "method-load"},
    {kMethodUnload, EventGroup::kJit, "method-unload"},
    {kModuleLoad, EventGroup::kLoader, "module-load"},
    {kModuleUnload, EventGroup::kLoader, "module-unload"},
    {kAssemblyLoad, EventGroup::kLoader, "assembly-load"},
    {kAssemblyUnload, EventGroup::kLoader, "assembly-unload"},
};

struct GroupNeeds {
  EventGroup group;
  uint64_t keywords;
  uint32_t level;
};

// Levels: 2 error, 4 informational, 5 verbose. At 4 an exception costs twice as much as at 2, since three more events
// come with it.
constexpr GroupNeeds kNeeds[] = {
    {EventGroup::kLoader, 0x8, 4},     {EventGroup::kClass, 0x8000000000, 5}, {EventGroup::kJit, 0x10, 5},
    {EventGroup::kThread, 0x10000, 4}, {EventGroup::kException, 0x8000, 2},   {EventGroup::kGc, 0x1, 4},
    {EventGroup::kSuspend, 0x1, 4},    {EventGroup::kContention, 0x4000, 4},  {EventGroup::kThreadPool, 0x10000, 4},
};

}  // namespace

const ListedEvent* FindEvent(uint32_t id) {
  const auto* found = std::lower_bound(std::begin(kEvents), std::end(kEvents), id,
                                       [](const ListedEvent& event, uint32_t wanted) { return event.id < wanted; });
  return found != std::end(kEvents) && found->id == id ? found : nullptr;
}

EventSubscription SubscriptionFor(uint32_t groups) {
  EventSubscription subscription;
  for (const GroupNeeds& needs : kNeeds) {
    if ((groups >> static_cast<uint32_t>(needs.group) & 1) == 0) continue;
    subscription.keywords |= needs.keywords;
    subscription.level = std::max(subscription.level, needs.level);
  }
  return subscription;
}

}  // namespace cairn::collector
