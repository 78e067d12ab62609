#include "viewer/cli/event_output.h"

#include <fmt/format.h>

#include "viewer/presentation/render/json_document.h"
#include "viewer/presentation/time_text.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {
namespace {

using presentation::Json;
using protocol::EventValue;
using protocol::EventValueKind;

Json Known(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

const char* GroupName(protocol::EventGroup group) {
  const auto index = static_cast<uint8_t>(group);
  return index < protocol::kEventGroups ? protocol::kEventGroupNames[index] : "unknown";
}

}  // namespace

Json ValueJson(const EventValue& value) {
  switch (value.kind) {
    case EventValueKind::kText:
      return value.text;
    case EventValueKind::kAddress:
      return fmt::format("0x{:x}", value.number);
    case EventValueKind::kReal:
      return value.real;
    case EventValueKind::kFlag:
      return value.number != 0;
    default:
      return value.number;
  }
}

std::string ValueText(const EventValue& value) {
  switch (value.kind) {
    case EventValueKind::kText:
      return presentation::VisibleText(value.text);
    case EventValueKind::kAddress:
      return fmt::format("0x{:x}", value.number);
    case EventValueKind::kReal:
      return fmt::format("{:.1f}", value.real);
    case EventValueKind::kFlag:
      return value.number != 0 ? "yes" : "no";
    default:
      return std::to_string(value.number);
  }
}

// What says nothing is left out for people.
bool IsWorthALine(const EventValue& value) {
  if (value.kind == EventValueKind::kText) return !value.text.empty() && value.key != "identity";
  return value.kind != EventValueKind::kFlag || value.number != 0;
}

std::string EventLine(const protocol::LoggedEvent& event, uint64_t realtime_ns) {
  std::string line = presentation::LocalTimeOfDay(realtime_ns);
  if (event.event == "lost") {
    const uint64_t count = event.values.empty() ? 0 : event.values.front().number;
    return line +
           fmt::format("  LOST  {} {} events came faster than they could be sent\n", count, GroupName(event.group));
  }
  line +=
      fmt::format("  {:>7} {:<15}  {:<16}", event.os_thread, presentation::VisibleText(event.thread_name), event.event);
  const bool is_method = event.group == protocol::EventGroup::kJit && !event.type.empty() && !event.name.empty();
  const std::string names = is_method ? event.type + "." + event.name : event.type;
  for (const std::string& name : {names, is_method ? std::string() : event.name})
    if (!name.empty()) line += "  " + presentation::VisibleText(name);
  if (!event.module.empty() && event.module != event.name)
    line += "  [" + presentation::VisibleText(event.module) + "]";
  for (const EventValue& value : event.values)
    if (IsWorthALine(value)) line += fmt::format("  {}={}", value.key, ValueText(value));
  return line + "\n";
}

std::string EventJson(const protocol::LoggedEvent& event, uint64_t realtime_ns) {
  Json thread = {{"os_id", event.os_thread},
                 {"managed_id", event.managed_thread == 0 ? Json(nullptr) : Json(event.managed_thread)},
                 {"name", Known(event.thread_name)}};
  Json detail = Json::object();
  for (const EventValue& value : event.values) detail[value.key] = ValueJson(value);
  const Json document = {{"schema", 1},
                         {"time", presentation::UtcTime(realtime_ns)},
                         {"thread", event.os_thread == 0 ? Json(nullptr) : thread},
                         {"event", event.event},
                         {"kind", GroupName(event.group)},
                         {"type", Known(event.type)},
                         {"name", Known(event.name)},
                         {"module", Known(event.module)},
                         {"detail", detail}};
  return presentation::JsonText(document) + "\n";
}

}  // namespace cairn::cli
