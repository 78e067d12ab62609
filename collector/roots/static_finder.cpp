#include "collector/roots/static_finder.h"

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

StaticFinder::StaticFinder(StaticSource& statics, FunctionSource& functions, MetadataSource& metadata,
                           ClassSource& classes, TypeNamer& types, ProblemList& problems)
    : statics_(statics),
      functions_(functions),
      metadata_(metadata),
      classes_(classes),
      types_(types),
      problems_(problems) {}

bool StaticFinder::Find(std::span<const ClassId> types, std::vector<protocol::Static>* found) try {
  ClassClosure closure(types_.Binder());
  for (ClassId id : types) closure.Add(id);
  for (ClassId id : functions_.CompiledClasses()) closure.Add(id);
  for (const BoundType* type : closure.Classes()) FindIn(*type, found);
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

void StaticFinder::FindIn(const BoundType& type, std::vector<protocol::Static>* found) {
  TypeBinder& binder = types_.Binder();
  // The API refuses every static of an instantiation. Statics of collectible types are no roots: their
  // LoaderAllocator holds them, and their slots move.
  if (!type.arguments.empty() || IsCollectible(type.module)) return;
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
