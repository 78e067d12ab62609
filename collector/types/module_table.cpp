#include "collector/types/module_table.h"

#include "collector/abi/masks.h"

namespace cairn::collector {
namespace {

std::string BaseName(const std::string& path) {
  const size_t slash = path.find_last_of("/\\");
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace

uint32_t ModuleTable::Intern(ModuleId module) {
  const auto known = index_of_.find(module);
  if (known != index_of_.end()) return known->second;
  ModuleRow row;
  uint32_t index = protocol::kNoId;
  if (module != 0 && metadata_.Module(module, &row)) {
    index = static_cast<uint32_t>(modules_.size());
    // A module made in memory has no path; its name in the metadata is what stack traces show.
    modules_.push_back({index, row.path.empty() ? row.scope : BaseName(row.path), row.path,
                        (row.flags & abi::kModuleCollectible) != 0});
  }
  index_of_.emplace(module, index);
  return index;
}

bool ModuleTable::Collectible(uint32_t index) const { return index < modules_.size() && modules_[index].collectible; }

}  // namespace cairn::collector
