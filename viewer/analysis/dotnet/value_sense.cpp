#include "viewer/analysis/dotnet/value_sense.h"

#include "viewer/analysis/dotnet/disposed_flag.h"

namespace cairn::analysis::dotnet {
namespace {

// States of the C# compiler's machines: -1 runs or has not begun, -2 has ended, n waits at await number n.
constexpr int64_t kEnded = -2;

std::string StateWords(int64_t state) {
  if (state >= 0) return "waits at await " + std::to_string(state + 1);
  return state == kEnded ? "ended" : "runs or has not begun";
}

}  // namespace

Result<std::optional<uint32_t>> ValueSense::FirstKept(TypeIndex type, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    auto value = contents_.ValueOf(type, name);
    if (!value || *value) return value;
  }
  return std::optional<uint32_t>();
}

Result<DisposedFlag> ValueSense::DisposedValue(TypeIndex type) {
  return ValuesOf(type).map([](const Values& values) { return values.disposed; });
}

Result<ValueSense::Values> ValueSense::ValuesOf(TypeIndex type) {
  if (const auto at = known_.find(type.value); at != known_.end()) return at->second;
  Values values;
  const auto take = [&](std::optional<uint32_t>& to, std::initializer_list<const char*> names) -> Status {
    auto found = FirstKept(type, names);
    if (!found) return tl::make_unexpected(std::move(found).error());
    to = *found;
    return {};
  };
  if (!graph_.GetSummary().types[type.value].value_slots.empty()) {
    const auto fields = contents_.FieldsOf(type);
    if (!fields) return tl::make_unexpected(fields.error());
    values.disposed = FindDisposedFlag(graph_.GetSummary().types[type.value], **fields);
    if (roles_.Of(type) == Role::kStateMachine)
      CAIRN_TRY(take(values.state, {"StateMachine.<>1__state", "<>1__state"}));
    if (roles_.Of(type) == Role::kDelegate) {
      CAIRN_TRY(take(values.code, {"_methodPtrAux"}));
      CAIRN_TRY(take(values.other_code, {"_methodPtr"}));
    }
  }
  known_.emplace(type.value, values);
  return values;
}

// Delegates of static methods keep the method beside a helper.
std::string ValueSense::MethodAt(const Values& known, std::span<const int64_t> values) const {
  for (const std::optional<uint32_t>& code : {known.code, known.other_code}) {
    if (!code || values[*code] == 0) continue;
    const snapshot::Method* const method = FindMethod(graph_.GetSummary(), static_cast<uint64_t>(values[*code]));
    if (method != nullptr) return "runs " + method->name;
  }
  return {};
}

Result<std::string> ValueSense::Of(ObjectIndex object) {
  const auto known = ValuesOf(graph_.TypeOf(object));
  if (!known) return tl::make_unexpected(known.error());
  if (!known->Any()) return std::string();
  const auto contents = contents_.Read(object);
  if (!contents) return tl::make_unexpected(contents.error());
  if (const DisposedFlag& flag = known->disposed; flag.value && flag.SaysDisposed(contents->values[*flag.value]))
    return std::string("disposed");
  if (known->state) return StateWords(contents->values[*known->state]);
  return MethodAt(*known, contents->values);
}

}  // namespace cairn::analysis::dotnet
