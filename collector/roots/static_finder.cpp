#include "collector/roots/static_finder.h"

#include <algorithm>
#include <exception>
#include <unordered_set>

#include "collector/abi/masks.h"
#include "collector/abi/metadata_constants.h"
#include "collector/types/type_binder.h"

namespace cairn::collector {
namespace {

constexpr uint32_t kNoSlot = abi::kFieldLiteral | abi::kFieldHasFieldRVA;
// Some versions answer with an offset for a field that has no slot yet.
constexpr uint64_t kLowestAddress = 64 * 1024;

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

}  // namespace

StaticFinder::StaticFinder(StaticSource& statics, FunctionSource& functions, MetadataSource& metadata, TypeNamer& types,
                           ProblemList& problems)
    : statics_(statics), functions_(functions), metadata_(metadata), types_(types), problems_(problems) {}

bool StaticFinder::Find(std::span<const ClassId> types, std::vector<protocol::Static>* found) try {
  ClassClosure closure(types_.Binder());
  for (ClassId id : types) closure.Add(id);
  for (ClassId id : functions_.CompiledClasses()) closure.Add(id);
  const Types with_slots = statics_.HasTables() ? WithSlots(closure.Classes()) : Types{};
  if (TablesAgree(with_slots)) {
    FindThroughTables(with_slots, found);
  } else {
    for (const BoundType* type : closure.Classes()) AddThroughApi(*type, found);
  }
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

StaticFinder::Types StaticFinder::WithSlots(const Types& types) {
  std::vector<ClassId> ids;
  for (const BoundType* type : types) {
    if (!IsCollectible(*type)) ids.push_back(type->class_id);
  }
  Types kept;
  for (ClassId id : statics_.WithSlots(std::move(ids))) kept.push_back(types_.Binder().FromClass(id));
  return kept;
}

// Evidence for the tables: every slot that the API knows lies where the tables say, and there are some.
bool StaticFinder::TablesAgree(const Types& types) {
  constexpr unsigned kEnough = 128;
  unsigned equal = 0;
  for (const BoundType* type : types) {
    if (equal >= kEnough) break;
    if (!type->arguments.empty()) continue;
    for (const StaticSlot& slot : statics_.Slots(type->class_id)) {
      uint64_t address = 0;
      if (slot.boxed || !statics_.Address(type->class_id, slot.field, &address)) continue;
      if (address != slot.address) {
        problems_.Add("statics.tables_differ", "The runtime's tables of static fields are not as expected at " +
                                                   type->name + ": fewer static fields have names.");
        return false;
      }
      ++equal;
    }
  }
  return equal > 0;
}

void StaticFinder::FindThroughTables(const Types& types, Found* found) {
  std::unordered_set<ClassId> seen;
  for (const BoundType* type : types) {
    if (seen.insert(type->class_id).second) AddSlots(type->class_id, found);
  }
  for (ModuleId module : metadata_.Modules()) {
    if (IsCollectible(module)) continue;
    for (ClassId id : statics_.LoadedClasses(module)) {
      if (seen.insert(id).second) AddSlots(id, found);
    }
  }
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

void StaticFinder::AddThroughApi(const BoundType& type, Found* found) {
  TypeBinder& binder = types_.Binder();
  // The API refuses every static of an instantiation.
  if (!type.arguments.empty() || IsCollectible(type)) return;
  for (Token token : metadata_.Fields(type.module, type.type_def)) {
    const BoundField& field = binder.Field(type.module, token);
    if ((field.flags & abi::kFieldStatic) == 0 || (field.flags & kNoSlot) != 0 || !field.readable) continue;
    if (!element::IsReference(field.type.element)) continue;
    uint64_t address = 0;
    if (!statics_.Address(type.class_id, token, &address) || address < kLowestAddress) continue;
    found->push_back({type.name + "." + field.name, address});
  }
}

}  // namespace cairn::collector
