#pragma once
// What the event log's two halves say to each other: the wishes, and the blocks.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cairn::protocol {

// What can be logged, and what is shut as a whole when too much comes. Do not renumber.
enum class EventGroup : uint8_t {
  kLoader = 0,
  kClass = 1,
  kJit = 2,
  kThread = 3,
  kException = 4,
  kGc = 5,
  kSuspend = 6,
  kContention = 7,
  kThreadPool = 8,
};
inline constexpr uint8_t kEventGroups = 9;
inline constexpr const char* kEventGroupNames[kEventGroups] = {"loader", "class",   "jit",        "thread",    "exception",
                                                               "gc",     "suspend", "contention", "threadpool"};

struct EventWishes {
  uint32_t groups = 0;         // bit 1 << EventGroup
  uint64_t ring_bytes = 0;     // of each ring in the target; 0: 2 MiB
};
template <class A> void Fields(A& a, EventWishes& m) { a(m.groups); a(m.ring_bytes); }

enum class EventValueKind : uint8_t { kNumber = 0, kText = 1, kAddress = 2, kReal = 3, kFlag = 4 };

struct EventValue {
  std::string key;
  EventValueKind kind{};
  uint64_t number = 0;  // kNumber, kAddress, kFlag
  double real = 0;
  std::string text;
};
inline EventValue NumberValue(std::string key, uint64_t number) {
  return {std::move(key), EventValueKind::kNumber, number, 0, {}};
}
inline EventValue AddressValue(std::string key, uint64_t address) {
  return {std::move(key), EventValueKind::kAddress, address, 0, {}};
}
inline EventValue TextValue(std::string key, std::string text) {
  return {std::move(key), EventValueKind::kText, 0, 0, std::move(text)};
}
inline EventValue FlagValue(std::string key, bool flag) {
  return {std::move(key), EventValueKind::kFlag, flag, 0, {}};
}
template <class A> void Fields(A& a, EventValue& m) { a(m.key); a(m.kind); a(m.number); a(m.real); a(m.text); }

// One block.
struct LoggedEvent {
  uint64_t time_ns = 0;     // CLOCK_MONOTONIC
  uint32_t os_thread = 0;   // 0: of the collector itself
  uint32_t managed_thread = 0;  // 0: not known
  std::string thread_name;
  EventGroup group{};
  std::string event;        // "exception", "gc-start"; "lost": what is missing of the group before this moment
  std::string type, name, module;  // empty: it has none
  std::vector<EventValue> values;
};
template <class A> void Fields(A& a, LoggedEvent& m) {
  a(m.time_ns); a(m.os_thread); a(m.managed_thread); a(m.thread_name); a(m.group); a(m.event); a(m.type); a(m.name);
  a(m.module); a(m.values);
}

}  // namespace cairn::protocol
