#include "viewer/cli/event_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

namespace cairn::cli {
namespace {

bool Matches(const presentation::TypePattern& pattern, const std::string& text) {
  return !text.empty() && pattern.Select(std::span(&text, 1)).front();
}

// A method is known by its own name and by its type's together.
std::string MethodOf(const protocol::LoggedEvent& event) {
  const bool is_method = event.group == protocol::EventGroup::kJit;
  return is_method && !event.type.empty() ? event.type + "." + event.name : event.name;
}

std::string GroupList() {
  std::string list;
  for (const char* name : protocol::kEventGroupNames) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

// "tpye:Shop": a word and a colon that mean nothing, where no name has any.
Status CheckPrefix(const std::string& text) {
  const size_t colon = text.starts_with('/') ? std::string::npos : text.find(':');
  if (colon == std::string::npos) return {};
  return Fail(ErrorKind::kUsage, "usage.bad_value",
              fmt::format("--filter does not know '{}'", text.substr(0, colon + 1)),
              "Known are type:, method: and module:, and patterns without any of them.");
}

}  // namespace

Result<EventFilter> EventFilter::Parse(const std::vector<std::string>& texts) {
  constexpr std::pair<std::string_view, Of> kPrefixes[] = {
      {"type:", Of::kType}, {"method:", Of::kMethod}, {"module:", Of::kModule}};
  EventFilter filter;
  for (const std::string& text : texts) {
    const auto* prefix = std::find_if(std::begin(kPrefixes), std::end(kPrefixes),
                                      [&](const auto& candidate) { return text.starts_with(candidate.first); });
    const bool has_prefix = prefix != std::end(kPrefixes);
    const std::string words = has_prefix ? text.substr(prefix->first.size()) : text;
    if (words.empty())
      return Fail(ErrorKind::kUsage, "usage.bad_value", fmt::format("--filter '{}' names nothing", text),
                  "Leave it out for every event.");
    CAIRN_TRY(CheckPrefix(words));
    auto pattern = presentation::TypePattern::Parse(words);
    if (!pattern) return tl::make_unexpected(pattern.error());
    filter.parts_.push_back({has_prefix ? prefix->second : Of::kAny, std::move(*pattern)});
  }
  return filter;
}

bool EventFilter::Fits(const Part& part, const protocol::LoggedEvent& event) {
  const bool any = part.of == Of::kAny;
  return ((any || part.of == Of::kType) && Matches(part.pattern, event.type)) ||
         ((any || part.of == Of::kMethod) && Matches(part.pattern, MethodOf(event))) ||
         ((any || part.of == Of::kModule) && Matches(part.pattern, event.module));
}

bool EventFilter::Shows(const protocol::LoggedEvent& event) const {
  return parts_.empty() || event.event == "lost" ||
         std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) { return Fits(part, event); });
}

Result<uint32_t> ParseEventGroups(const std::string& text) {
  uint32_t groups = 0;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto* begin = std::begin(protocol::kEventGroupNames);
    const auto* found = std::find(begin, std::end(protocol::kEventGroupNames), word);
    if (word == "all") {
      groups |= (1u << protocol::kEventGroups) - 1;
    } else if (found != std::end(protocol::kEventGroupNames)) {
      groups |= 1u << (found - begin);
    } else {
      return Fail(ErrorKind::kUsage, "usage.bad_value", fmt::format("--events does not know '{}'", word),
                  "Known are " + GroupList() + ", and all.");
    }
  }
  if (groups != 0) return groups;
  return Fail(ErrorKind::kUsage, "usage.bad_value", "--events needs at least one kind of event",
              "Known are " + GroupList() + ", and all.");
}

}  // namespace cairn::cli
