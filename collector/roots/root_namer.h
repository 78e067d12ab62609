#pragma once
// Turns recorded roots into protocol records with kinds and method names.
//
//   RootNamer namer(functions, metadata, types, problems);
//   namer.NameUnsafeFunctions(recorder.Roots());        // in the pause, after the last RootReferences2
//   namer.NameRoots(recorder, &roots, &dependents);     // after resume

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collector/protocol/messages.h"
#include "collector/roots/root_recorder.h"
#include "collector/types/problem_list.h"
#include "collector/types/runtime_source.h"
#include "collector/types/type_namer.h"

namespace cairn::collector {

struct FunctionRow {
  ClassId class_id = 0;  // 0: not exactly known (shared generic code)
  ModuleId module = 0;
  Token method = 0;
  std::vector<ClassId> arguments;  // of the method; System.__Canon where shared
};

class FunctionSource {
 public:
  virtual bool Function(FunctionId id, FunctionRow* row) = 0;
  // Writes a name for a function whose FunctionID may be gone after the pause: a DynamicMethod, or a method of a
  // collectible module. 0: an ordinary function. Allocates nothing.
  virtual size_t UnsafeName(FunctionId id, char* name, size_t capacity) = 0;
  // JIT-compiled functions that the runtime knows of.
  virtual std::vector<FunctionId> Functions() = 0;

 protected:
  ~FunctionSource() = default;
};

class RootNamer {
 public:
  RootNamer(FunctionSource& functions, MetadataSource& metadata, TypeNamer& types, ProblemList& problems);
  ~RootNamer();
  RootNamer(const RootNamer&) = delete;
  RootNamer& operator=(const RootNamer&) = delete;

  // Call-site rule: inside the pause. Names what may be gone after it; allocates nothing.
  void NameUnsafeFunctions(std::span<const RecordedRoot> roots);
  // Call-site rule: after resume, as TypeNamer. Roots whose object is 0 are left out. False: out of memory.
  bool NameRoots(const RootRecorder& recorder, std::vector<protocol::Root>* roots,
                 std::vector<protocol::Dependent>* dependents);
  // "Shop.Program.Main", "Shop.Cache<System.String>.Get<System.Int32>".
  const std::string& FunctionName(FunctionId id);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cairn::collector
