#pragma once
// A record of the event log → the event in words: names, numbers, reasons. Knows the layout of every payload, and
// nothing of the runtime. Thread rule: one thread.

#include <string>

#include "collector/events/event_list.h"
#include "collector/events/event_record.h"
#include "collector/observing/record_rings.h"

namespace cairn::collector {

// False: the payload is shorter than its version has it, and the event holds what could be read. Thread names, method
// names and times are the caller's.
bool DecodeEvent(const ListedEvent& listed, const EventParts& parts, protocol::LoggedEvent* event);

}  // namespace cairn::collector
