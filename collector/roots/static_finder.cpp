#include "collector/roots/static_finder.h"

#include <algorithm>
#include <exception>
#include <unordered_set>
#include <utility>

#include "collector/abi/masks.h"
#include "collector/abi/metadata_constants.h"
#include "collector/types/type_binder.h"

namespace cairn::collector {
namespace {

constexpr uint32_t kNoSlot = abi::kFieldLiteral | abi::kFieldHasFieldRVA;
// Some versions answer with an offset for a field that has no slot yet.
constexpr uint64_t kLowestAddress = 64 * 1024;
// Of an object[] on 64 bits.
constexpr uint64_t kArrayElements = 16, kSlotBytes = 8;

// A closure over bases, elements and arguments that visits each class once.
class ClassClosure {
 public:
  explicit ClassClosure(TypeBinder& binder) : binder_(binder) {}

  void Add(ClassId id) {
    for (pending_.push_back(id); !pending_.empty();) {
      const ClassId next = pending_.back();
      pending_.pop_back();
      if (next != 0 && seen_.insert(next).second) Visit(*binder_.FromClass(next));
    }
  }
  const std::vector<const BoundType*>& Classes() const { return classes_; }

 private:
  void Visit(const BoundType& type) {
    pending_.push_back(type.parent);
    for (const BoundType* argument : type.arguments) pending_.push_back(argument->class_id);
    if (type.array_element != nullptr) pending_.push_back(type.array_element->class_id);
    if (type.type_def != 0) classes_.push_back(&type);
  }

  TypeBinder& binder_;
  std::unordered_set<ClassId> seen_;
  std::vector<ClassId> pending_;
  std::vector<const BoundType*> classes_;
};

bool HasSlot(const BoundField& field) {
  return (field.flags & abi::kFieldStatic) != 0 && (field.flags & kNoSlot) == 0 && field.readable;
}

bool MayBeBoxed(const BoundField& field) { return field.type.element == element::kValueType; }

}  // namespace

StaticFinder::StaticFinder(StaticSource& statics, FunctionSource& functions, MetadataSource& metadata, TypeNamer& types,
                           ProblemList& problems)
    : statics_(statics), functions_(functions), metadata_(metadata), types_(types), problems_(problems) {}

bool StaticFinder::Find(std::span<const ClassId> types, std::vector<protocol::Static>* found) try {
  ClassClosure closure(types_.Binder());
  for (ClassId id : types) closure.Add(id);
  std::vector<ClassId> lasting;
  for (const BoundType* type : closure.Classes()) {
    if (!IsCollectible(*type)) lasting.push_back(type->class_id);
  }
  if (statics_.HasTables() && TablesAgree(statics_.WithStatics(lasting))) {
    statics_.TrustTables();
    FindThroughTables(lasting, found);
    return true;
  }
  for (ClassId id : ClassesWithMethods()) closure.Add(id);
  for (const BoundType* type : closure.Classes()) AddThroughApi(*type, found);
  return true;
} catch (const std::exception&) {
  return false;
}

bool StaticFinder::IsCollectible(ModuleId module) {
  const auto known = collectible_.find(module);
  if (known != collectible_.end()) return known->second;
  ModuleRow row;
  const bool collectible = metadata_.Module(module, &row) && (row.flags & abi::kModuleCollectible) != 0;
  return collectible_[module] = collectible;
}

// An instantiation over a collectible type belongs to that type's context.
bool StaticFinder::IsCollectible(const BoundType& type) {
  if (type.array_element != nullptr) return IsCollectible(*type.array_element);
  if (IsCollectible(type.module)) return true;
  return std::ranges::any_of(type.arguments, [this](const BoundType* argument) { return IsCollectible(*argument); });
}

// ---- the runtime's own tables ----------------------------------------------------------------------

// Evidence: every slot that the API knows lies where the tables say, there are some, and the table of the module lists
// the classes they belong to.
bool StaticFinder::TablesAgree(const std::vector<ClassId>& classes) {
  constexpr unsigned kEnough = 64;
  unsigned equal = 0;
  std::vector<const BoundType*> seen;
  for (ClassId id : classes) {
    if (equal >= kEnough) break;
    const BoundType* type = types_.Binder().FromClass(id);
    const unsigned before = equal;
    if (!SlotsAgree(*type, &equal)) return false;
    if (equal > before) seen.push_back(type);
  }
  if (seen.empty()) return false;
  const ModuleId module = seen.front()->module;
  const std::vector<ClassId> listed = statics_.LoadedClasses(module);
  const std::unordered_set<ClassId> known(listed.begin(), listed.end());
  return std::ranges::all_of(
      seen, [&](const BoundType* type) { return type->module != module || known.contains(type->class_id); });
}

bool StaticFinder::SlotsAgree(const BoundType& type, unsigned* equal) {
  if (!type.arguments.empty()) return true;  // the API refuses those
  for (const StaticSlot& slot : statics_.Slots(type.class_id)) {
    uint64_t address = 0;
    if (slot.boxed || !statics_.Address(type.class_id, slot.field, &address)) continue;
    if (address != slot.address) {
      problems_.Add("statics.tables_differ", "The runtime's tables of static fields are not as expected at " +
                                                 type.name + ": fewer static fields have names.");
      return false;
    }
    ++*equal;
  }
  return true;
}

void StaticFinder::FindThroughTables(const std::vector<ClassId>& classes, Found* found) {
  if (threads_ != nullptr) AddSlotArrays(found);
  std::unordered_set<ClassId> seen;
  const auto add = [&](const std::vector<ClassId>& ids) {
    for (ClassId id : ids) {
      if (seen.insert(id).second) AddClass(id, found);
    }
  };
  add(statics_.WithStatics(classes));
  for (ModuleId module : metadata_.Modules()) {
    if (!IsCollectible(module)) add(statics_.LoadedClasses(module));
  }
}

void StaticFinder::AddClass(ClassId id, Found* found) {
  AddSlots(id, found);
  if (!arrays_of_.empty()) AddThreadSlots(id, found);
}

// A class without slots is not bound: most have none, and open definitions cannot be.
void StaticFinder::AddSlots(ClassId id, Found* found) {
  const std::vector<StaticSlot> slots = statics_.Slots(id);
  if (slots.empty()) return;
  const BoundType& type = *types_.Binder().FromClass(id);
  for (const StaticSlot& slot : slots) {
    const BoundField& field = types_.Binder().Field(type.module, slot.field);
    if (!field.name.empty()) found->push_back({type.name + "." + field.name, slot.address});
  }
}

void StaticFinder::AddThreadSlots(ClassId id, Found* found) {
  const ThreadStaticFields statics = statics_.ThreadStatics(id);
  const auto [begin, end] = arrays_of_.equal_range(statics.index);
  if (statics.fields.empty() || begin == end) return;
  const BoundType& type = *types_.Binder().FromClass(id);
  for (const ThreadStaticFields::Field& slot : statics.fields) {
    const BoundField& field = types_.Binder().Field(type.module, slot.field);
    if (field.name.empty()) continue;
    for (auto at = begin; at != end; ++at) {
      const RecordedSlotArray& array = at->second;
      if (slot.offset < kArrayElements || slot.offset >= kArrayElements + uint64_t{array.slots} * kSlotBytes) {
        problems_.Add("statics.thread_tables_differ",
                      "The runtime's tables of thread statics are not as expected at " + type.name + ": it has none.");
        return;
      }
      found->push_back(
          {type.name + "." + field.name, array.object + slot.offset, protocol::RootKind::kThreadStatic, array.thread});
    }
  }
}

// Every slot array of every thread, so that what has no name is known as a thread static at least.
void StaticFinder::AddSlotArrays(Found* found) {
  for (const RecordedSlotArray& array : threads_->SlotArrays()) {
    arrays_of_.emplace(array.index, array);
    found->push_back({{}, array.object + kArrayElements, protocol::RootKind::kThreadStatic, array.thread});
  }
}

// ---- the profiling API -----------------------------------------------------------------------------

// Classes without an instance, known by a method of theirs that is loaded. Methods that were compiled must not be
// asked about one by one: some may belong to a context that is just being unloaded, and asking crashes the target.
// What a module that stays declares cannot go.
std::vector<ClassId> StaticFinder::ClassesWithMethods() {
  std::vector<ClassId> classes;
  for (ModuleId module : metadata_.Modules()) {
    if (IsCollectible(module)) continue;
    for (Token type_def : metadata_.TypeDefs(module)) {
      if (!HasStatics(module, type_def)) continue;
      if (const ClassId id = LoadedClass(module, type_def); id != 0) classes.push_back(id);
    }
  }
  return classes;
}

ClassId StaticFinder::LoadedClass(ModuleId module, Token type_def) {
  for (Token method : metadata_.Methods(module, type_def)) {
    if (const ClassId id = functions_.LoadedClass(module, method); id != 0) return id;
  }
  return 0;
}

bool StaticFinder::HasStatics(ModuleId module, Token type_def) {
  return std::ranges::any_of(metadata_.Fields(module, type_def), [&](Token token) {
    const BoundField& field = types_.Binder().Field(module, token);
    return HasSlot(field) && (element::IsReference(field.type.element) || MayBeBoxed(field));
  });
}

// ---- thread statics by the profiling API -----------------------------------------------------------

bool StaticFinder::Prepare(ThreadStaticSource& source, ThreadStaticRecorder* recorder) try {
  std::vector<ThreadStaticField> fields;
  if (statics_.HasTables()) return recorder->Prepare({});
  if (source.CanAskInPause()) {
    for (ModuleId module : metadata_.Modules()) {
      if (!IsCollectible(module)) AddThreadStaticFields(module, source, &fields);
    }
  } else {
    problems_.Add("statics.no_thread_statics",
                  "Thread statics have no names: this version of the runtime cannot be asked about them in a pause.");
  }
  return recorder->Prepare(std::move(fields));
} catch (const std::exception&) {
  return false;
}

void StaticFinder::AddThreadStaticFields(ModuleId module, ThreadStaticSource& source,
                                         std::vector<ThreadStaticField>* fields) {
  for (Token type_def : metadata_.TypeDefs(module)) {
    if (!HasStatics(module, type_def)) continue;
    const ClassId id = LoadedClass(module, type_def);
    if (id == 0) continue;
    for (Token token : metadata_.Fields(module, type_def)) {
      const BoundField& field = types_.Binder().Field(module, token);
      if (!HasSlot(field) || !(element::IsReference(field.type.element) || MayBeBoxed(field))) continue;
      if (source.IsThreadStatic(id, token)) fields->push_back({id, module, token});
    }
  }
}

// Without a name: a number, which lies in no object.
protocol::Static StaticFinder::Describe(const ThreadStaticField& recorded) {
  const BoundType& type = *types_.Binder().FromClass(recorded.class_id);
  const BoundField& field = types_.Binder().Field(recorded.module, recorded.field);
  protocol::Static result{{}, 0, protocol::RootKind::kThreadStatic};
  if (MayBeBoxed(field)) {
    const BoundType* content = types_.Binder().FromSignature(type.module, field.type, type);
    if (!content->IsStruct()) return result;
    result.boxed_type = content->name;
  }
  result.name = type.name + "." + field.name;
  return result;
}

bool StaticFinder::AddRecorded(const ThreadStaticRecorder& recorder, std::vector<protocol::Thread>* threads,
                               Found* found) try {
  std::unordered_map<uint32_t, uint32_t> index_of;
  for (uint32_t i = 0; i < threads->size(); ++i) index_of.emplace((*threads)[i].os_id, i);
  std::vector<protocol::Static> described;
  for (const ThreadStaticField& field : recorder.Fields()) described.push_back(Describe(field));
  for (const RecordedThreadStatic& recorded : recorder.Found()) {
    protocol::Static slot = described[recorded.field];
    if (slot.name.empty()) continue;
    const auto [at, is_new] = index_of.emplace(recorded.os_id, static_cast<uint32_t>(threads->size()));
    if (is_new) threads->push_back(DescribeThread(recorded.os_id, 0));
    slot.slot_address = recorded.address;
    slot.thread = at->second;
    found->push_back(std::move(slot));
  }
  if (recorder.ThreadsLeftOut() != 0) {
    problems_.Add("statics.too_many_threads",
                  "The thread statics of " + std::to_string(recorder.ThreadsLeftOut()) +
                      " threads have no names: there were too many to ask for in the pause.");
  }
  return true;
} catch (const std::exception&) {
  return false;
}

// ---- statics by the profiling API ------------------------------------------------------------------

// The API refuses every static of an instantiation.
void StaticFinder::AddThroughApi(const BoundType& type, Found* found) {
  if (!type.arguments.empty() || IsCollectible(type)) return;
  for (Token token : metadata_.Fields(type.module, type.type_def)) {
    const BoundField& field = types_.Binder().Field(type.module, token);
    if (!HasSlot(field)) continue;
    if (element::IsReference(field.type.element))
      AddSlot(type, field, token, {}, found);
    else if (MayBeBoxed(field))
      AddBox(type, field, token, found);
  }
}

void StaticFinder::AddSlot(const BoundType& type, const BoundField& field, Token token, std::string boxed_type,
                           Found* found) {
  uint64_t address = 0;
  if (!statics_.Address(type.class_id, token, &address) || address < kLowestAddress) return;
  protocol::Static slot{type.name + "." + field.name, address};
  slot.boxed_type = std::move(boxed_type);
  found->push_back(std::move(slot));
}

// An enum is kept as its number, in no box.
void StaticFinder::AddBox(const BoundType& type, const BoundField& field, Token token, Found* found) {
  const BoundType* content = types_.Binder().FromSignature(type.module, field.type, type);
  if (content->IsStruct()) AddSlot(type, field, token, content->name, found);
}

}  // namespace cairn::collector
