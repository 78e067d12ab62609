#include "collector/types/module_table.h"

#include "collector/abi/masks.h"
#include "collector/types/file_name.h"

namespace cairn::collector {

// A module made in memory has no path, or all emitted ones have the same.
std::string ModuleTable::NameOf(ModuleId module, const ModuleRow& row) {
  if (!row.path.empty() && (row.flags & abi::kModuleDynamic) == 0) return FileNameOf(row.path);
  std::string assembly = metadata_.AssemblyName(module);
  return assembly.empty() ? row.scope : assembly;
}

uint32_t ModuleTable::Intern(ModuleId module) {
  const auto known = index_of_.find(module);
  if (known != index_of_.end()) return known->second;
  ModuleRow row;
  uint32_t index = protocol::kNoId;
  if (module != 0 && metadata_.Module(module, &row)) {
    index = static_cast<uint32_t>(modules_.size());
    modules_.push_back({index, NameOf(module, row), row.path, (row.flags & abi::kModuleCollectible) != 0});
  }
  index_of_.emplace(module, index);
  return index;
}

bool ModuleTable::Collectible(uint32_t index) const { return index < modules_.size() && modules_[index].collectible; }

}  // namespace cairn::collector
