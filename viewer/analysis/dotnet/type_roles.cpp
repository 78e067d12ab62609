#include "viewer/analysis/dotnet/type_roles.h"

#include <string_view>

#include "viewer/analysis/dotnet/compiler_names.h"

namespace cairn::analysis::dotnet {
namespace {

// A file may tell of a circle.
constexpr int kDeepestHierarchy = 64;

bool DerivesFrom(const std::vector<snapshot::Type>& types, uint32_t type, std::string_view base) {
  for (int depth = 0; depth < kDeepestHierarchy && type < types.size(); ++depth) {
    if (types[type].name == base || types[type].base == base) return true;
    type = types[type].base_type;
  }
  return false;
}

Role RoleByName(const std::string& name) {
  if (name == "System.Object[]") return Role::kDelegateList;
  if (name == "System.Threading.TimerQueue" || name == "System.Threading.TimerQueue[]") return Role::kTimerQueue;
  for (const char* timer : {"System.Threading.TimerQueueTimer", "System.Threading.Timer",
                            "System.Threading.TimerHolder", "System.Timers.Timer", "System.Threading.PeriodicTimer"})
    if (name == timer) return Role::kTimer;
  if (name == "System.Threading.CancellationTokenSource+CallbackNode") return Role::kCancellation;
  if (StateMachineMethod(name)) return Role::kStateMachine;
  return ClosureOwner(name) ? Role::kClosure : Role::kNone;
}

}  // namespace

Role TypeRoles::Of(TypeIndex type) {
  std::optional<Role>& role = roles_[type.value];
  if (role) return *role;
  role = RoleByName(types_[type.value].name);
  if (role == Role::kNone && DerivesFrom(types_, type.value, "System.MulticastDelegate")) role = Role::kDelegate;
  if (role == Role::kNone && DerivesFrom(types_, type.value, "System.Threading.Tasks.Task")) role = Role::kTask;
  return *role;
}

}  // namespace cairn::analysis::dotnet
