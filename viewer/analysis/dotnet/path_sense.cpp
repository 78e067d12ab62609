#include "viewer/analysis/dotnet/path_sense.h"

#include "viewer/analysis/dotnet/compiler_names.h"

namespace cairn::analysis::dotnet {
namespace {

constexpr std::string_view kTimer = "a timer", kCancellation = "a CancellationToken";

// A timer or token calls back; a field has handlers in it.
std::string HandlerWords(const std::string& where) {
  return where == kTimer || where == kCancellation ? "callback of " + where : "handler in " + where;
}

}  // namespace

// "Shop.Prices.Changed"; of an element or of a root the field alone.
std::string PathSense::FieldOfHolder(std::string_view field) const {
  const bool named = before_.Valid() && !field.empty() && field.front() != '[' && field.front() != '(';
  return named ? NameOf(before_) + "." + std::string(field) : std::string(field);
}

std::string PathSense::OfDelegate(std::string_view field) {
  const Role holder = before_.Valid() ? roles_->Of(before_) : Role::kNone;
  if (holder == Role::kTimer)
    handler_ = kTimer;
  else if (holder == Role::kCancellation)
    handler_ = kCancellation;
  else if (handler_.empty() || (holder != Role::kDelegate && holder != Role::kDelegateList))
    handler_ = FieldOfHolder(field);
  return handler_.empty() ? std::string() : HandlerWords(handler_);
}

std::string PathSense::OfTarget(TypeIndex type) const {
  const std::string own = OwnMeaning(type);
  std::string words =
      handler_ == kTimer || handler_ == kCancellation ? "called back by " + handler_ : "subscriber of " + handler_;
  return own.empty() ? words : words + ", " + own;
}

std::string PathSense::OwnMeaning(TypeIndex type) const {
  const std::string& name = NameOf(type);
  switch (roles_->Of(type)) {
    case Role::kTimer:
      return "timer";
    case Role::kCancellation:
      return "callback registered with a CancellationToken";
    case Role::kStateMachine:
      return (IsAsyncBox(name) ? "async method " : "state machine of ") + StateMachineMethod(name).value_or("");
    case Role::kClosure:
      return "variables of a lambda in " + ClosureOwner(name).value_or("");
    default:
      return {};
  }
}

std::string PathSense::Next(TypeIndex type, std::string_view field) {
  const Role role = roles_->Of(type), holder = before_.Valid() ? roles_->Of(before_) : Role::kNone;
  std::string words;
  if (role == Role::kDelegate) {
    words = OfDelegate(field);
  } else if (holder == Role::kDelegate && field == "_invocationList") {
    words = "handlers in " + handler_;
  } else if (holder == Role::kDelegate && !handler_.empty()) {
    words = OfTarget(type);
  } else if (holder == Role::kTimer && field == "_state") {
    words = "state of a timer";
    if (const std::string own = OwnMeaning(type); !own.empty()) words += ", " + own;
  } else {
    words = OwnMeaning(type);
  }
  const bool within_handlers = role == Role::kDelegate || (role == Role::kDelegateList && holder == Role::kDelegate);
  if (!within_handlers) handler_.clear();
  before_ = type;
  return words;
}

}  // namespace cairn::analysis::dotnet
