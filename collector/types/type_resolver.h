#pragma once
// From a TypeRef of one module to the TypeDef of another, over the loaded modules: the assembly that is referred to
// exactly, else one of a higher version, else any of the name; on through type forwarders by the same rule. Loads
// nothing. Thread rule: one thread; answers are cached.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "collector/types/runtime_source.h"

namespace cairn::collector {

struct TypeLocation {
  ModuleId module = 0;
  Token type_def = 0;
  explicit operator bool() const { return type_def != 0; }
};

class TypeResolver {
 public:
  explicit TypeResolver(MetadataSource& metadata) : metadata_(metadata) {}

  // `token`: TypeDef or TypeRef. Empty: no loaded module defines it.
  TypeLocation Resolve(ModuleId module, Token token);
  // A top-level type of the core library.
  TypeLocation CoreType(std::string_view name);

 private:
  struct LoadedModule {
    ModuleId module = 0;
    AssemblyIdentity assembly;
    std::string folder;
    bool collectible = false;
  };

  TypeLocation ResolveTypeRef(ModuleId module, Token token, unsigned depth);
  TypeLocation FindInAssembly(ModuleId from, const AssemblyIdentity& assembly, const std::string& name, unsigned depth);
  std::vector<const LoadedModule*> Candidates(ModuleId from, const AssemblyIdentity& assembly) const;
  void LoadModules();

  MetadataSource& metadata_;
  bool modules_loaded_ = false;
  std::vector<LoadedModule> loaded_;  // in the order of loading
  std::unordered_map<ModuleId, size_t> index_of_;
  std::unordered_map<std::string, std::vector<size_t>> by_name_;  // folded
  std::unordered_map<ModuleId, std::unordered_map<Token, TypeLocation>> resolved_;
};

}  // namespace cairn::collector
