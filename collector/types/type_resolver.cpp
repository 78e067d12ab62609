#include "collector/types/type_resolver.h"

#include <algorithm>

#include "collector/abi/masks.h"
#include "collector/abi/metadata_constants.h"

namespace cairn::collector {
namespace {

constexpr unsigned kMaxDepth = 16;  // nesting and forwarding; longer chains are cycles
constexpr const char* kCoreLibrary = "System.Private.CoreLib";

}  // namespace

void TypeResolver::LoadModules() {
  if (modules_loaded_) return;
  modules_loaded_ = true;
  for (ModuleId module : metadata_.Modules()) {
    ModuleRow row;
    if (!metadata_.Module(module, &row)) continue;
    const bool collectible = (row.flags & abi::kModuleCollectible) != 0;
    collectible_[module] = collectible;
    by_assembly_[metadata_.AssemblyName(module)].push_back({module, collectible});
  }
}

TypeLocation TypeResolver::Resolve(ModuleId module, Token token) {
  if (abi::TokenType(token) == abi::kTokenTypeDef) return {module, token};
  if (abi::TokenType(token) != abi::kTokenTypeRef) return {};
  auto& known = resolved_[module];
  const auto found = known.find(token);
  if (found != known.end()) return found->second;
  LoadModules();
  const TypeLocation location = ResolveTypeRef(module, token, 0);
  resolved_[module][token] = location;
  return location;
}

TypeLocation TypeResolver::CoreType(std::string_view name) {
  LoadModules();
  return FindInAssembly(0, kCoreLibrary, std::string(name), 0);
}

TypeLocation TypeResolver::ResolveTypeRef(ModuleId module, Token token, unsigned depth) {
  TypeRefRow row;
  if (depth > kMaxDepth || !metadata_.TypeRef(module, token, &row)) return {};
  switch (abi::TokenType(row.scope)) {
    case abi::kTokenTypeRef: {
      const TypeLocation enclosing = ResolveTypeRef(module, row.scope, depth + 1);
      if (!enclosing) return {};
      return {enclosing.module, metadata_.FindTypeDef(enclosing.module, row.name, enclosing.type_def)};
    }
    case abi::kTokenAssemblyRef:
      return FindInAssembly(module, metadata_.AssemblyRefName(module, row.scope), row.name, depth);
    default:  // the module itself
      return {module, metadata_.FindTypeDef(module, row.name, 0)};
  }
}

// Several load contexts may hold an assembly of one name: a collectible module most likely means the collectible
// one, any other the first that was loaded.
TypeLocation TypeResolver::FindInAssembly(ModuleId from, const std::string& assembly, const std::string& name,
                                          unsigned depth) {
  const auto modules = by_assembly_.find(assembly);
  if (depth > kMaxDepth || modules == by_assembly_.end()) return {};
  const bool collectible = collectible_[from];
  std::vector<LoadedModule> candidates = modules->second;
  std::stable_partition(candidates.begin(), candidates.end(),
                        [&](const LoadedModule& m) { return m.collectible == collectible; });
  for (const LoadedModule& candidate : candidates) {
    if (const Token token = metadata_.FindTypeDef(candidate.module, name, 0)) return {candidate.module, token};
    ExportedTypeRow forwarder;
    if (!metadata_.FindExportedType(candidate.module, name, &forwarder)) continue;
    if (abi::TokenType(forwarder.implementation) != abi::kTokenAssemblyRef) continue;
    const std::string target = metadata_.AssemblyRefName(candidate.module, forwarder.implementation);
    if (const TypeLocation found = FindInAssembly(candidate.module, target, name, depth + 1)) return found;
  }
  return {};
}

}  // namespace cairn::collector
