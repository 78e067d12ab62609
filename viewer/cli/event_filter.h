#pragma once
// --filter of the event log: which events are shown. Patterns as everywhere (viewer/presentation/type_pattern.h), of
// the type, the method or name, or the module; an event is shown when one of them fits.
// Thread rule: immutable after Parse.

#include <string>
#include <vector>

#include "collector/protocol/event_observation.h"
#include "viewer/presentation/type_pattern.h"

namespace cairn::cli {

class EventFilter {
 public:
  // "PATTERN" of any of them, or of one: "type:PATTERN", "method:PATTERN", "module:PATTERN". Errors: those of
  // TypePattern.
  static Result<EventFilter> Parse(const std::vector<std::string>& texts);
  // What is missing is always shown.
  bool Shows(const protocol::LoggedEvent& event) const;

 private:
  enum class Of : uint8_t { kAny, kType, kMethod, kModule };
  struct Part {
    Of of;
    presentation::TypePattern pattern;
  };

  static bool Fits(const Part& part, const protocol::LoggedEvent& event);

  std::vector<Part> parts_;
};

// "loader,gc" or "all" → bits of EventGroup. Error usage.bad_value.
Result<uint32_t> ParseEventGroups(const std::string& text);

}  // namespace cairn::cli
