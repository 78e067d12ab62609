#pragma once
// Names of static reference fields and the addresses of their slots inside heap objects.
// Call-site rule: after resume, as TypeNamer; only addresses are read, never values.
// Not found this way: statics of generic instantiations (the API refuses them), of structs, of threads, of
// collectible types (their LoaderAllocator holds them), and of classes that have neither an instance nor a compiled
// method.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "collector/protocol/messages.h"
#include "collector/roots/function_source.h"
#include "collector/types/bound_type.h"
#include "collector/types/runtime_source.h"
#include "collector/types/type_namer.h"

namespace cairn::collector {

class StaticSource {
 public:
  // Slot of a static field. False: not initialised yet, a thread static, or refused.
  virtual bool Address(ClassId id, Token field, uint64_t* address) = 0;

 protected:
  ~StaticSource() = default;
};

class StaticFinder {
 public:
  StaticFinder(StaticSource& statics, FunctionSource& functions, MetadataSource& metadata, ClassSource& classes,
               TypeNamer& types, ProblemList& problems);

  // Looks at `types`, their bases, elements and arguments, and at the classes of JIT-compiled methods.
  // False: out of memory; `found` then holds what was reached.
  bool Find(std::span<const ClassId> types, std::vector<protocol::Static>* found);

 private:
  bool IsCollectible(ModuleId module);
  void FindIn(const BoundType& type, std::vector<protocol::Static>* found);

  StaticSource& statics_;
  FunctionSource& functions_;
  MetadataSource& metadata_;
  ClassSource& classes_;
  TypeNamer& types_;
  ProblemList& problems_;
  std::unordered_map<ModuleId, bool> collectible_;
};

}  // namespace cairn::collector
