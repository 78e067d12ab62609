#pragma once
// The modules that types and methods refer to, numbered in the order of first use.
// Thread rule: one thread.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/protocol/messages.h"
#include "collector/types/runtime_source.h"

namespace cairn::collector {

class ModuleTable {
 public:
  explicit ModuleTable(MetadataSource& metadata) : metadata_(metadata) {}

  // Index of a module in Modules(); protocol::kNoId when the runtime does not know it.
  uint32_t Intern(ModuleId module);
  bool Collectible(uint32_t index) const;
  const std::vector<protocol::Module>& Modules() const { return modules_; }

 private:
  std::string NameOf(ModuleId module, const ModuleRow& row);

  MetadataSource& metadata_;
  std::vector<protocol::Module> modules_;
  std::unordered_map<ModuleId, uint32_t> index_of_;
};

}  // namespace cairn::collector
