#pragma once
// Turns the types that the walk met into names, modules, bases and field paths.
//
//   ComRuntime runtime(info);                     // ICorProfilerInfo10 or later
//   ModuleTable modules(runtime.Metadata());
//   ProblemList problems;
//   TypeNamer namer(runtime.Metadata(), runtime.Classes(), modules, problems);
//   namer.NameAll(types, &names);                 // then send names, modules.Modules(), problems.Problems()
//
// Call-site rule: after resume, on a native thread that has a managed Thread (it has called ForceGC or
// System.GC._Collect), while strong handles keep the LoaderAllocators of collectible types alive. Asking for
// a class that was unloaded crashes the target. Thread rule: one thread. Nothing is thrown; a type that cannot
// be named is "(unknown 0x…)", kUnknown, and a problem.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collector/protocol/messages.h"
#include "collector/types/module_table.h"
#include "collector/types/problem_list.h"
#include "collector/types/runtime_source.h"

namespace cairn::collector {

struct BoundType;
class TypeBinder;

// What naming needs of a WalkedType.
struct WalkedTypeRef {
  uint32_t id = 0;       // the id that goes into TypeName::id
  ClassId class_id = 0;  // WalkedType::class_id, or its MethodTable where that is 0
  bool collectible = false;
  bool is_free = false;
};

class TypeNamer {
 public:
  TypeNamer(MetadataSource& metadata, ClassSource& classes, ModuleTable& modules, ProblemList& problems);
  ~TypeNamer();
  TypeNamer(const TypeNamer&) = delete;
  TypeNamer& operator=(const TypeNamer&) = delete;

  // One record per type, in the order of `types`; base_type is set where the base is among them.
  // False: out of memory; `names` then holds what was reached.
  bool NameAll(std::span<const WalkedTypeRef> types, std::vector<protocol::TypeName>* names);
  protocol::TypeName Name(const WalkedTypeRef& type);

  // Full name of a loaded class; "(unknown 0x…)" where the runtime refuses.
  const std::string& ClassName(ClassId id);
  // Full name of a type as it is defined, type parameters as their count: "Shop.Cache`2".
  std::string DefinitionName(ModuleId module, Token type_def);
  // For who needs more of a class than its name. Throws nothing but bad_alloc.
  TypeBinder& Binder();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cairn::collector
