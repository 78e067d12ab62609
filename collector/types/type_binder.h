#pragma once
// Makes BoundTypes from ClassIDs and from signatures. Names need no type to be loaded; only LayoutClass, for
// structs that are embedded in others, may. Thread rule: one thread.

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/types/bound_type.h"
#include "collector/types/problem_list.h"
#include "collector/types/runtime_source.h"
#include "collector/types/signature_reader.h"
#include "collector/types/type_resolver.h"

namespace cairn::collector {

// A field of a TypeDef, decoded once.
struct BoundField {
  std::string name;
  uint32_t flags = 0;
  bool readable = false;
  SignatureType type;
};

struct ModuleToken {
  ModuleId module = 0;
  Token token = 0;
  friend bool operator==(const ModuleToken&, const ModuleToken&) = default;
};
struct ModuleTokenHash {
  size_t operator()(const ModuleToken& key) const { return (key.module ^ key.token) * 0x9E3779B97F4A7C15; }
};

class TypeBinder {
 public:
  TypeBinder(MetadataSource& metadata, ClassSource& classes, ProblemList& problems);

  // Never null. A class that the runtime refuses gets an "(unknown 0x…)" name and element kEnd.
  const BoundType* FromClass(ClassId id);
  // `owner` gives the arguments for the type parameters of the declaring type.
  const BoundType* FromSignature(ModuleId module, const SignatureType& type, const BoundType& owner);
  // A loaded class with the struct's layout: reference arguments as System.__Canon. 0: refused.
  ClassId LayoutClass(const BoundType& type);
  // Without arguments: "Shop.Cache`2+Entry". Empty: unreadable.
  std::string DefinitionName(TypeLocation location);
  const BoundField& Field(ModuleId module, Token field);

 private:
  struct Definition {
    std::vector<std::string> chain;  // metadata names, outermost first
    uint8_t element = element::kClass;
  };
  using Arguments = std::vector<const BoundType*>;

  BoundType BindClass(ClassId id);
  BoundType BindArray(const ArrayRow& row);
  const BoundType* ElementOfArray(const ArrayRow& row);
  BoundType BindToken(ModuleId module, const SignatureType& type, const BoundType& owner);
  const BoundType* FromToken(ModuleId module, const SignatureType& type, const BoundType& owner);
  const BoundType* Wellknown(uint8_t element);
  BoundType BindWrapped(ModuleId module, const SignatureType& type, const BoundType& owner);
  BoundType BindDefinition(TypeLocation location, Arguments arguments);
  const Definition& Define(TypeLocation location);
  uint8_t ElementOf(TypeLocation location, const Definition& definition, Token extends);
  uint8_t UnderlyingOf(TypeLocation enum_type);
  std::string RefName(ModuleId module, Token token, const Arguments& arguments);
  const BoundType* Intern(BoundType type);
  ClassId ArgumentClass(const BoundType& argument);
  ClassId CoreClass(const char* name);

  MetadataSource& metadata_;
  ClassSource& classes_;
  ProblemList& problems_;
  TypeResolver resolver_;
  unsigned depth_ = 0;
  std::deque<BoundType> types_;
  std::unordered_map<ClassId, const BoundType*> by_class_;
  std::unordered_map<std::string, const BoundType*> by_key_;
  std::unordered_map<ModuleToken, Definition, ModuleTokenHash> definitions_;
  std::unordered_map<ModuleToken, BoundField, ModuleTokenHash> fields_;
  std::unordered_map<ModuleToken, const BoundType*, ModuleTokenHash> plain_;  // types without arguments, by token
  const BoundType* simple_[256] = {};                                         // primitives and the like, by element
  std::unordered_map<const BoundType*, ClassId> layout_classes_;
  std::unordered_map<std::string, ClassId> core_classes_;
};

}  // namespace cairn::collector
