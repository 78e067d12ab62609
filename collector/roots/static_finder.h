#pragma once
// Names of static reference fields and the addresses of their slots inside heap objects.
// Call-site rule: after resume, as TypeNamer; only addresses are read, never values.

#include <cstdint>
#include <span>
#include <vector>

#include "collector/protocol/messages.h"
#include "collector/roots/root_namer.h"
#include "collector/types/problem_list.h"
#include "collector/types/runtime_source.h"
#include "collector/types/type_namer.h"

namespace cairn::collector {

enum class StaticAnswer : uint8_t { kFound, kNotInitialized, kNotAvailable };

class StaticSource {
 public:
  virtual StaticAnswer Address(ClassId id, Token field, uint64_t* address) = 0;

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
  StaticSource& statics_;
  FunctionSource& functions_;
  MetadataSource& metadata_;
  ClassSource& classes_;
  TypeNamer& types_;
  ProblemList& problems_;
};

}  // namespace cairn::collector
