#pragma once
// Names of static reference fields and the addresses of their slots inside heap objects.
// Call-site rule: after resume, as TypeNamer; only addresses are read, never values.
// On .NET 10 the runtime's own tables are read, checked against the profiling API: every initialised class that is
// loaded, instantiations and static structs (whose slot refers to a box) included. Elsewhere the API is asked about
// classes known to be loaded: no instantiations, no structs, no class without an instance or a compiled method.
// Never found: statics of threads, and of collectible types, which their LoaderAllocator holds.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "collector/protocol/messages.h"
#include "collector/roots/function_source.h"
#include "collector/runtime/static_slots.h"
#include "collector/types/bound_type.h"
#include "collector/types/runtime_source.h"
#include "collector/types/type_namer.h"

namespace cairn::collector {

class StaticSource {
 public:
  // Slot of a static field. False: not initialised yet, a thread static, or refused.
  virtual bool Address(ClassId id, Token field, uint64_t* address) = 0;

  // The runtime's own tables. Call-site rule: modules and classes that are not collectible.
  virtual bool HasTables() { return false; }
  // Those with slots; WithSlots picks the same out of a list.
  virtual std::vector<ClassId> LoadedClasses(ModuleId) { return {}; }
  virtual std::vector<ClassId> WithSlots(std::vector<ClassId> ids) { return ids; }
  virtual std::vector<StaticSlot> Slots(ClassId) { return {}; }

 protected:
  ~StaticSource() = default;
};

class StaticFinder {
 public:
  StaticFinder(StaticSource& statics, FunctionSource& functions, MetadataSource& metadata, TypeNamer& types,
               ProblemList& problems);

  // Looks at `types`, their bases, elements and arguments, and at the classes of JIT-compiled methods.
  // False: out of memory; `found` then holds what was reached.
  bool Find(std::span<const ClassId> types, std::vector<protocol::Static>* found);

 private:
  using Found = std::vector<protocol::Static>;
  using Types = std::vector<const BoundType*>;

  Types WithSlots(const Types& types);
  bool TablesAgree(const Types& types);
  void FindThroughTables(const Types& types, Found* found);
  void AddSlots(ClassId id, Found* found);
  void AddThroughApi(const BoundType& type, Found* found);
  bool IsCollectible(ModuleId module);
  bool IsCollectible(const BoundType& type);

  StaticSource& statics_;
  FunctionSource& functions_;
  MetadataSource& metadata_;
  TypeNamer& types_;
  ProblemList& problems_;
  std::unordered_map<ModuleId, bool> collectible_;
};

}  // namespace cairn::collector
