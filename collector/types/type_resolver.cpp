#include "collector/types/type_resolver.h"

#include <algorithm>
#include <tuple>

#include "collector/abi/masks.h"
#include "collector/abi/metadata_constants.h"

namespace cairn::collector {
namespace {

constexpr unsigned kMaxDepth = 16;  // nesting and forwarding; longer chains are cycles
constexpr const char* kCoreLibrary = "System.Private.CoreLib";

std::string FolderOf(const std::string& path) {
  const size_t slash = path.find_last_of("/\\");
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

}  // namespace

void TypeResolver::LoadModules() {
  if (modules_loaded_) return;
  modules_loaded_ = true;
  for (ModuleId module : metadata_.Modules()) {
    ModuleRow row;
    if (!metadata_.Module(module, &row)) continue;
    const bool collectible = (row.flags & abi::kModuleCollectible) != 0;
    index_of_[module] = loaded_.size();
    loaded_.push_back({module, metadata_.Identity(module), FolderOf(row.path), collectible});
    by_name_[FoldAssemblyName(loaded_.back().assembly.name)].push_back(index_of_[module]);
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
  return FindInAssembly(0, {.name = kCoreLibrary, .culture = {}}, std::string(name), 0);
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
      return FindInAssembly(module, metadata_.ReferredIdentity(module, row.scope), row.name, depth);
    default:  // the module itself
      return {module, metadata_.FindTypeDef(module, row.name, 0)};
  }
}

// Several load contexts may hold an assembly of one name. Among those that fit alike, of higher versions the nearest
// first, one of a kind of context with the module that refers is the likeliest, and one of its folder.
std::vector<const TypeResolver::LoadedModule*> TypeResolver::Candidates(ModuleId from,
                                                                        const AssemblyIdentity& assembly) const {
  std::vector<const LoadedModule*> candidates;
  const auto named = by_name_.find(FoldAssemblyName(assembly.name));
  if (named == by_name_.end() || assembly.name.empty()) return candidates;
  for (size_t index : named->second) candidates.push_back(&loaded_[index]);
  const auto known = index_of_.find(from);
  const LoadedModule nowhere;
  const LoadedModule& referrer = known == index_of_.end() ? nowhere : loaded_[known->second];
  const auto rank = [&](const LoadedModule* candidate) {
    const AssemblyFit fit = FitOf(assembly, candidate->assembly);
    const uint64_t distance = fit == AssemblyFit::kHigherVersion ? candidate->assembly.version : 0;
    return std::tuple(fit, distance, candidate->collectible != referrer.collectible,
                      candidate->folder != referrer.folder);
  };
  std::ranges::stable_sort(candidates, {}, rank);
  return candidates;
}

TypeLocation TypeResolver::FindInAssembly(ModuleId from, const AssemblyIdentity& assembly, const std::string& name,
                                          unsigned depth) {
  if (depth > kMaxDepth) return {};
  for (const LoadedModule* candidate : Candidates(from, assembly)) {
    if (const Token token = metadata_.FindTypeDef(candidate->module, name, 0)) return {candidate->module, token};
    ExportedTypeRow forwarder;
    if (!metadata_.FindExportedType(candidate->module, name, &forwarder)) continue;
    if (abi::TokenType(forwarder.implementation) != abi::kTokenAssemblyRef) continue;
    const AssemblyIdentity target = metadata_.ReferredIdentity(candidate->module, forwarder.implementation);
    if (const TypeLocation found = FindInAssembly(candidate->module, target, name, depth + 1)) return found;
  }
  return {};
}

}  // namespace cairn::collector
