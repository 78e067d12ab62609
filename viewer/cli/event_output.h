#pragma once
// One event of the log as a line of text, or as one JSON document on one line.
// Thread rule: pure functions.

#include <cstdint>
#include <string>

#include "collector/protocol/event_observation.h"
#include "viewer/presentation/render/json_document.h"

namespace cairn::cli {

// `realtime_ns`: since 1970. Local time of day, thread, event, names, and details as key=value.
std::string EventLine(const protocol::LoggedEvent& event, uint64_t realtime_ns);
// {"schema":1,"time":…,"thread":{…},"event":…,"kind":…,"type":…,"name":…,"module":…,"detail":{…}} and a new line.
std::string EventJson(const protocol::LoggedEvent& event, uint64_t realtime_ns);

// A detail as JSON, and as text; whether it says anything to people.
presentation::Json ValueJson(const protocol::EventValue& value);
std::string ValueText(const protocol::EventValue& value);
bool IsWorthALine(const protocol::EventValue& value);

}  // namespace cairn::cli
