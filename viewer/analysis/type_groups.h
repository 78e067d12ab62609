#pragma once
// Types put together: by namespace, by module. Each type is in exactly one group.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot-format/file/model.h"

namespace cairn::analysis {

struct TypeGroups {
  std::vector<std::string> names;  // in order
  std::vector<uint32_t> of_type;   // by TypeIndex, index into names
};

// "Shop" of `Shop.Cache<System.String, Shop.Order>+Entry[]`; "" for a type without one.
std::string_view NamespaceOf(std::string_view type_name);

TypeGroups GroupByNamespace(const std::vector<snapshot::Type>& types);
// Types without a module are in the group "".
TypeGroups GroupByModule(const snapshot::Summary& summary);

}  // namespace cairn::analysis
