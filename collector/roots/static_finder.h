#pragma once
// Names of static reference fields and the addresses of their slots inside heap objects.
// Call-site rule: after resume, as TypeNamer; only addresses are read, never values.
// On .NET 10 the runtime's own tables are read, checked against the profiling API: every initialised class that is
// loaded, instantiations and static structs (whose slot refers to a box) included, and the thread statics of the
// threads that were recorded in the pause. Elsewhere the API is asked about the types of the heap, their bases,
// elements and arguments, and the classes whose methods are loaded: no instantiations, no thread statics, and of a
// struct where its box lies, not the slot (protocol::Static::boxed_type).
// Never found: statics of collectible types, which their LoaderAllocator holds.

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/protocol/messages.h"
#include "collector/roots/function_source.h"
#include "collector/roots/thread_recorder.h"
#include "collector/roots/thread_static_recorder.h"
#include "collector/runtime/static_slots.h"
#include "collector/types/bound_type.h"
#include "collector/types/runtime_source.h"
#include "collector/types/type_namer.h"

namespace cairn::collector {

struct BoundField;

class StaticSource {
 public:
  // Slot of a static field; of a struct its place in its box. False: not initialised yet, a thread static, or refused.
  virtual bool Address(ClassId id, Token field, uint64_t* address) = 0;

  // The runtime's own tables. Call-site rule: modules and classes that are not collectible.
  virtual bool HasTables() { return false; }
  virtual void TrustTables() {}
  // Those that may have statics; WithStatics picks the same out of a list.
  virtual std::vector<ClassId> LoadedClasses(ModuleId) { return {}; }
  virtual std::vector<ClassId> WithStatics(const std::vector<ClassId>& ids) { return ids; }
  virtual std::vector<StaticSlot> Slots(ClassId) { return {}; }
  virtual ThreadStaticFields ThreadStatics(ClassId) { return {}; }

 protected:
  ~StaticSource() = default;
};

class StaticFinder {
 public:
  StaticFinder(StaticSource& statics, FunctionSource& functions, MetadataSource& metadata, TypeNamer& types,
               ProblemList& problems);

  // Thread statics are named from here on. `threads` is observed.
  void UseThreads(const ThreadRecorder& threads) { threads_ = &threads; }
  // Where there are no tables: the thread statics of the classes whose methods are loaded, for `recorder` to ask about
  // in the pause. False: out of memory.
  bool Prepare(ThreadStaticSource& source, ThreadStaticRecorder* recorder);
  // Names what it recorded. Threads that are not among `threads` are added. False: out of memory.
  bool AddRecorded(const ThreadStaticRecorder& recorder, std::vector<protocol::Thread>* threads,
                   std::vector<protocol::Static>* found);
  // `types`: the classes of the heap. False: out of memory; `found` then holds what was reached.
  bool Find(std::span<const ClassId> types, std::vector<protocol::Static>* found);

 private:
  using Found = std::vector<protocol::Static>;
  using Types = std::vector<const BoundType*>;

  bool TablesAgree(const std::vector<ClassId>& classes);
  bool SlotsAgree(const BoundType& type, unsigned* equal);
  void FindThroughTables(const std::vector<ClassId>& classes, Found* found);
  void AddClass(ClassId id, Found* found);
  void AddSlots(ClassId id, Found* found);
  void AddThreadSlots(ClassId id, Found* found);
  void AddSlotArrays(Found* found);
  std::vector<ClassId> ClassesWithMethods();
  void AddThreadStaticFields(ModuleId module, ThreadStaticSource& source, std::vector<ThreadStaticField>* fields);
  ClassId LoadedClass(ModuleId module, Token type_def);
  protocol::Static Describe(const ThreadStaticField& field);
  bool HasStatics(ModuleId module, Token type_def);
  void AddThroughApi(const BoundType& type, Found* found);
  void AddSlot(const BoundType& type, const BoundField& field, Token token, std::string boxed_type, Found* found);
  void AddBox(const BoundType& type, const BoundField& field, Token token, Found* found);
  bool IsCollectible(ModuleId module);
  bool IsCollectible(const BoundType& type);

  StaticSource& statics_;
  FunctionSource& functions_;
  MetadataSource& metadata_;
  TypeNamer& types_;
  ProblemList& problems_;
  const ThreadRecorder* threads_ = nullptr;
  std::unordered_map<ModuleId, bool> collectible_;
  std::unordered_multimap<uint32_t, RecordedSlotArray> arrays_of_;  // by index
};

}  // namespace cairn::collector
