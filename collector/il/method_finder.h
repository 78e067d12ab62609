#pragma once
// The methods that patterns name, of all loaded modules that stay loaded, or of one; and why some are better left
// alone. Thread rule: one native thread; no module may go during Find, after which it asks about none that can. Loads
// nothing, changes nothing.

#include <string>
#include <vector>

#include "collector/abi/profiler_info.h"
#include "collector/il/module_signatures.h"
#include "collector/types/com_metadata.h"
#include "collector/types/module_table.h"

namespace cairn::collector::il {

struct FoundMethod {
  abi::ModuleID module = 0;
  abi::mdMethodDef token = 0;
  std::string name;         // "Shop.Cache+Entry.Get", without type parameters
  std::string module_name;  // "Shop.dll"
  // Why its body must not be touched, as a sentence; null: it may be. Bodies themselves are not looked at here.
  const char* why_not = nullptr;
};

class MethodFinder {
 public:
  // `info` is observed.
  explicit MethodFinder(abi::ICorProfilerInfo10* info) : info_(info), metadata_(info), modules_(metadata_) {}

  // Those with a body, in the order of modules and tokens: the first `most`.
  std::vector<FoundMethod> Find(const std::vector<std::string>& patterns, size_t most);
  // The same of one module that may not be listed yet. `most` counts over all of them, and Matched too.
  std::vector<FoundMethod> FindIn(abi::ModuleID module, const std::vector<std::string>& patterns, size_t most);
  // After Find: how many there are.
  size_t Matched() const { return matched_; }
  // After Find. 0: it is not loaded, which cannot be.
  abi::ModuleID CoreLibrary() const { return core_library_; }
  // After Find: there are modules that can be unloaded, which are not searched.
  bool SawCollectible() const { return saw_collectible_; }
  ComMetadata& Metadata() { return metadata_; }

 private:
  uint32_t FlagsOf(ModuleId module);
  void FindInModule(ModuleId module);
  void FindInType(Token type);
  std::string NameOfType(Token type);
  bool IsWanted(const std::string& name) const;
  bool MayBeWanted(const std::string& type) const;

  abi::ICorProfilerInfo10* info_;
  ComMetadata metadata_;
  ModuleTable modules_;
  const std::vector<std::string>* patterns_ = nullptr;
  size_t most_ = 0, matched_ = 0;
  std::vector<FoundMethod> found_;
  abi::ModuleID core_library_ = 0;
  bool saw_collectible_ = false;
  // Of the module that is looked through.
  ModuleId module_ = 0;
  std::string module_name_;
  const char* why_not_module_ = nullptr;
  bool is_core_ = false;
};

}  // namespace cairn::collector::il
