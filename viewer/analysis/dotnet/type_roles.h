#pragma once
// What types are to the runtime and its libraries: delegates, timers, tasks, state machines …
// Thread rule: one thread; a role is found out when it is first asked for. Ownership: observes the types.

#include <cstdint>
#include <optional>
#include <vector>

#include "snapshot-format/file/model.h"
#include "viewer/analysis/indices.h"

namespace cairn::analysis::dotnet {

enum class Role : uint8_t {
  kNone,
  kDelegate,      // derives from System.MulticastDelegate
  kDelegateList,  // System.Object[]: perhaps the invocation list of one
  kTimer,         // what a TimerQueue holds, and what users see of it
  kTimerQueue,
  kCancellation,  // a callback registered with a CancellationToken
  kTask,
  kStateMachine,  // of an async method or an iterator
  kClosure,       // variables that a lambda shares with its method
};

class TypeRoles {
 public:
  explicit TypeRoles(const std::vector<snapshot::Type>& types) : types_(types), roles_(types.size()) {}

  Role Of(TypeIndex type);
  const std::vector<snapshot::Type>& Types() const { return types_; }

 private:
  const std::vector<snapshot::Type>& types_;
  std::vector<std::optional<Role>> roles_;
};

}  // namespace cairn::analysis::dotnet
