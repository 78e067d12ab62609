#pragma once
// What naming needs to know of methods. ComRoots answers through the profiling API, tests answer from tables.

#include <cstddef>
#include <vector>

#include "collector/types/runtime_source.h"

namespace cairn::collector {

struct FunctionRow {
  ClassId class_id = 0;  // 0: not exactly known (shared generic code)
  ModuleId module = 0;
  Token method = 0;
  std::vector<ClassId> arguments;  // of the method; System.__Canon where shared
};

struct CodeRange {
  uint64_t begin = 0, size = 0;
};

class FunctionSource {
 public:
  // Call-site rule: never for a FunctionID that may be gone: the runtime crashes.
  virtual bool Function(FunctionId id, FunctionRow* row) = 0;
  // Writes a name for a function whose FunctionID may be gone after the pause: a DynamicMethod, or a method of a
  // collectible module. 0: an ordinary function. Allocates nothing.
  virtual size_t UnsafeName(FunctionId id, char* name, size_t capacity) = 0;
  // The same for a class, as the runtime's events write it: "Shop.Cache`1[Shop.Order][]".
  virtual size_t UnsafeClassName(ClassId, char* /*name*/, size_t /*capacity*/) { return 0; }
  // Where its machine code lies, in every version that was compiled. Call-site rule: as Function.
  virtual std::vector<CodeRange> Code(FunctionId id) = 0;
  // The method that an entry point belongs to; 0: none. Call-site rule: only for addresses that the runtime itself
  // handed out as code, such as a delegate's (code_map.h says why).
  virtual FunctionId FunctionAt(uint64_t address) = 0;
  // Class of a method that a type of the module declares; 0: not loaded, or generic. Call-site rule: modules that are
  // not collectible, so that neither can go meanwhile.
  virtual ClassId LoadedClass(ModuleId module, Token method) = 0;

 protected:
  ~FunctionSource() = default;
};

}  // namespace cairn::collector
