#include "viewer/analysis/type_groups.h"

#include <functional>
#include <map>

namespace cairn::analysis {
namespace {

TypeGroups GroupBy(const std::vector<snapshot::Type>& types,
                   const std::function<std::string_view(const snapshot::Type&)>& name_of) {
  std::map<std::string, uint32_t, std::less<>> groups;
  for (const snapshot::Type& type : types) groups.try_emplace(std::string(name_of(type)), 0);
  TypeGroups result;
  for (auto& [name, number] : groups) {
    number = static_cast<uint32_t>(result.names.size());
    result.names.push_back(name);
  }
  for (const snapshot::Type& type : types) result.of_type.push_back(groups.find(name_of(type))->second);
  return result;
}

}  // namespace

std::string_view NamespaceOf(std::string_view type_name) {
  const std::string_view outermost = type_name.substr(0, type_name.find_first_of("<+[*&,"));
  const size_t dot = outermost.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : outermost.substr(0, dot);
}

TypeGroups GroupByNamespace(const std::vector<snapshot::Type>& types) {
  return GroupBy(types, [](const snapshot::Type& type) { return NamespaceOf(type.name); });
}

TypeGroups GroupByModule(const snapshot::Summary& summary) {
  return GroupBy(summary.types, [&](const snapshot::Type& type) {
    return type.module < summary.modules.size() ? std::string_view(summary.modules[type.module].name)
                                                : std::string_view();
  });
}

}  // namespace cairn::analysis
