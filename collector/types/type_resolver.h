#pragma once
// From a TypeRef of one module to the TypeDef of another: by assembly name over the loaded modules, through
// type forwarders. Loads nothing. Thread rule: one thread; answers are cached.

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
    ModuleId module;
    bool collectible;
  };

  TypeLocation ResolveTypeRef(ModuleId module, Token token, unsigned depth);
  TypeLocation FindInAssembly(ModuleId from, const std::string& assembly, const std::string& name, unsigned depth);
  void LoadModules();

  MetadataSource& metadata_;
  bool modules_loaded_ = false;
  std::unordered_map<std::string, std::vector<LoadedModule>> by_assembly_;
  std::unordered_map<ModuleId, bool> collectible_;
  std::unordered_map<ModuleId, std::unordered_map<Token, TypeLocation>> resolved_;
};

}  // namespace cairn::collector
