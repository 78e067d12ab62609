#pragma once
// What the two halves of `cairn ids` say to each other: the wishes, and a block per ID.

#include <cstdint>
#include <string>
#include <vector>

#include "collector/protocol/event_observation.h"

namespace cairn::protocol {

// Do not renumber.
enum class IdKind : uint8_t { kDomain = 0, kAssembly = 1, kModule = 2, kClass = 3, kFunction = 4, kThread = 5 };
inline constexpr uint8_t kIdKinds = 6;
inline constexpr const char* kIdKindNames[kIdKinds] = {"domain", "assembly", "module", "class", "function", "thread"};

struct IdWishes {
  uint32_t kinds = 0;  // bit 1 << IdKind
  uint64_t id = 0;     // 0: all of them
};
template <class A> void Fields(A& a, IdWishes& m) { a(m.kinds); a(m.id); }

struct IdRow {
  IdKind kind{};
  uint64_t id = 0;
  std::string name, path;
  std::vector<EventValue> values;
};
template <class A> void Fields(A& a, IdRow& m) { a(m.kind); a(m.id); a(m.name); a(m.path); a(m.values); }

}  // namespace cairn::protocol
