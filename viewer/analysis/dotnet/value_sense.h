#pragma once
// What the values of one object tell: that it was disposed, how far an async method is, what method a delegate runs.
// Thread rule: one thread. Ownership: observes graph, source and roles.

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "viewer/analysis/contents_reader.h"
#include "viewer/analysis/dotnet/disposed_flag.h"
#include "viewer/analysis/dotnet/type_roles.h"

namespace cairn::analysis::dotnet {

class ValueSense {
 public:
  ValueSense(const HeapGraph& graph, const ChunkSource& source, TypeRoles& roles)
      : graph_(graph), contents_(graph, source), roles_(roles) {}

  // "disposed", "waits at await 2", "runs Shop.Order.OnChanged(System.Object)"; empty where nothing is known.
  Result<std::string> Of(ObjectIndex object);

  // Which value of a type's objects says that they were disposed, and how.
  Result<DisposedFlag> DisposedValue(TypeIndex type);

 private:
  struct Values {
    DisposedFlag disposed;
    std::optional<uint32_t> state, code, other_code;
    bool Any() const { return disposed.value || state || code || other_code; }
  };

  Result<Values> ValuesOf(TypeIndex type);
  Result<std::optional<uint32_t>> FirstKept(TypeIndex type, std::initializer_list<const char*> names);
  std::string MethodAt(const Values& known, std::span<const int64_t> values) const;

  const HeapGraph& graph_;
  ContentsReader contents_;
  TypeRoles& roles_;
  std::unordered_map<uint32_t, Values> known_;
};

}  // namespace cairn::analysis::dotnet
