#pragma once
// What a callback of the event log puts in front of an event's payload: what only the thread itself can find out, at
// that moment.

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace cairn::collector {

struct EventPrefix {
  uint16_t version = 0;    // of the payload
  uint16_t text_size = 0;  // of the text behind this: a module's path, a thread's name
  uint32_t method = 0;     // a serial of FunctionNames: the method on top of the stack
};
static_assert(sizeof(EventPrefix) == 8);

// A record taken apart.
struct EventParts {
  EventPrefix prefix;
  std::string_view text;
  std::span<const uint8_t> payload;
};

// False: too short to be one.
inline bool TakeApart(std::span<const uint8_t> bytes, EventParts* parts) {
  if (bytes.size() < sizeof parts->prefix) return false;
  std::memcpy(&parts->prefix, bytes.data(), sizeof parts->prefix);
  bytes = bytes.subspan(sizeof parts->prefix);
  if (bytes.size() < parts->prefix.text_size) return false;
  parts->text = {reinterpret_cast<const char*>(bytes.data()), parts->prefix.text_size};
  parts->payload = bytes.subspan(parts->prefix.text_size);
  return true;
}

}  // namespace cairn::collector
