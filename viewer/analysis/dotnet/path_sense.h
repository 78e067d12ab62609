#pragma once
// What the steps of a path mean to a .NET programmer: this is a handler in Shop.Prices.Changed, that its subscriber,
// this the async method Shop.Worker.RunAsync that waits. Steps are given from the root on.
// Thread rule: one thread per path. Ownership: observes the roles.

#include <string>
#include <string_view>
#include <vector>

#include "viewer/analysis/dotnet/type_roles.h"

namespace cairn::analysis::dotnet {

class PathSense {
 public:
  explicit PathSense(TypeRoles& roles) : roles_(&roles) {}

  // Of the next step; empty where its type says it all. `field`: of the step before, or the root's name.
  std::string Next(TypeIndex type, std::string_view field);
  // Steps were left out.
  void Skip() { *this = PathSense(*roles_); }

 private:
  std::string OfDelegate(std::string_view field);
  std::string OfTarget(TypeIndex type) const;
  std::string OwnMeaning(TypeIndex type) const;
  std::string FieldOfHolder(std::string_view field) const;

  const std::string& NameOf(TypeIndex type) const { return roles_->Types()[type.value].name; }

  TypeRoles* roles_;
  TypeIndex before_;     // the type one step before; none at the root
  std::string handler_;  // where the delegates of this stretch hang: "Shop.Prices.Changed"; empty outside of one
};

}  // namespace cairn::analysis::dotnet
