#include "viewer/presentation/heap_source.h"

#include <fmt/format.h>

namespace cairn::presentation {

std::string TypeName(const snapshot::Type& type) {
  return type.name.empty() ? fmt::format("(unknown type {:#x})", type.method_table) : type.name;
}

std::vector<std::string> TypeNames(const snapshot::Summary& summary) {
  std::vector<std::string> names;
  names.reserve(summary.types.size());
  for (const snapshot::Type& type : summary.types) names.push_back(TypeName(type));
  return names;
}

std::optional<std::string> ModuleName(const snapshot::Summary& summary, const snapshot::Type& type) {
  if (type.module >= summary.modules.size()) return std::nullopt;
  return summary.modules[type.module].name;
}

}  // namespace cairn::presentation
