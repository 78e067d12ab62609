#include "collector/types/type_binder.h"

#include <algorithm>

#include "collector/abi/metadata_constants.h"
#include "collector/types/type_name_text.h"

namespace cairn::collector {
namespace {

constexpr const char* kFunctionPointer = "(function pointer)";
constexpr unsigned kMaxDepth = 64;
constexpr unsigned kMaxNesting = 32;

std::vector<std::string_view> Views(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

std::vector<std::string_view> Names(const std::vector<const BoundType*>& types) {
  std::vector<std::string_view> names;
  names.reserve(types.size());
  for (const BoundType* type : types) names.push_back(type->name);
  return names;
}

BoundType Simple(std::string name, uint8_t element) {
  BoundType type;
  type.name = std::move(name);
  type.element = element;
  return type;
}

uint64_t Bits(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// Equal keys mean equal types: the name alone does not, since modules may define the same name.
std::string KeyOf(const BoundType& type) {
  std::string key = type.name;
  const auto append = [&key](uint64_t word) { key.append(reinterpret_cast<const char*>(&word), sizeof word); };
  append(type.element);
  append(type.module);
  append(type.type_def);
  append(Bits(type.array_element));
  for (const BoundType* argument : type.arguments) append(Bits(argument));
  return key;
}

}  // namespace

TypeBinder::TypeBinder(MetadataSource& metadata, ClassSource& classes, ProblemList& problems)
    : metadata_(metadata), classes_(classes), problems_(problems), resolver_(metadata) {}

const BoundType* TypeBinder::FromClass(ClassId id) {
  const auto known = by_class_.find(id);
  if (known != by_class_.end()) return known->second;
  ++depth_;
  BoundType bound = BindClass(id);
  --depth_;
  if (bound.name.empty()) bound = BoundType{};
  if (bound.element == element::kEnd) {
    bound.name = UnknownTypeName(id);
    problems_.Add("types.unknown_class", "The runtime does not say what the class " + bound.name + " is.");
  }
  bound.class_id = id;
  types_.push_back(std::move(bound));
  const BoundType* type = &types_.back();
  by_key_.emplace(KeyOf(*type), type);
  return by_class_[id] = type;
}

BoundType TypeBinder::BindClass(ClassId id) {
  ArrayRow array;
  ClassRow row;
  if (id == 0 || depth_ > kMaxDepth) return {};
  const Answer answer = classes_.Array(id, &array);
  if (answer == Answer::kYes) return BindArray(array);
  if (answer == Answer::kRefused || !classes_.Class(id, &row) || row.token == 0) return {};
  Arguments arguments;
  for (ClassId argument : row.arguments) arguments.push_back(FromClass(argument));
  BoundType type = BindDefinition({row.module, row.token}, std::move(arguments));
  type.parent = row.parent;
  return type;
}

BoundType TypeBinder::BindArray(const ArrayRow& row) {
  BoundType type;
  type.array_element = ElementOfArray(row);
  type.name = ComposeArrayName(type.array_element->name, row.rank, row.multi_dimensional);
  type.element = row.multi_dimensional ? element::kArray : element::kSzArray;
  type.rank = row.rank;
  type.module = type.array_element->module;
  return type;
}

// The API tells nothing of the class behind a pointer.
const BoundType* TypeBinder::ElementOfArray(const ArrayRow& row) {
  if (row.element_type == element::kPtr) return Intern(Simple("(pointer)", element::kPtr));
  if (row.element_type == element::kFnPtr) return Intern(Simple(kFunctionPointer, element::kFnPtr));
  return FromClass(row.element_class);
}

BoundType TypeBinder::BindDefinition(TypeLocation location, Arguments arguments) {
  const Definition& definition = Define(location);
  BoundType type;
  if (definition.chain.empty()) return type;
  type.name = ComposeTypeName(Views(definition.chain), Names(arguments));
  type.element = definition.element;
  type.module = location.module;
  type.type_def = location.type_def;
  type.arguments = std::move(arguments);
  return type;
}

std::string TypeBinder::DefinitionName(TypeLocation location) {
  return ComposeTypeName(Views(Define(location).chain), {});
}

const TypeBinder::Definition& TypeBinder::Define(TypeLocation location) {
  const ModuleToken key{location.module, location.type_def};
  const auto known = definitions_.find(key);
  if (known != definitions_.end()) return known->second;
  Definition definition;
  Token extends = 0;
  for (Token token = location.type_def; token != 0 && definition.chain.size() < kMaxNesting;) {
    TypeDefRow row;
    if (!metadata_.TypeDef(location.module, token, &row)) {
      definition.chain.clear();
      break;
    }
    if (definition.chain.empty()) extends = row.extends;
    definition.chain.push_back(std::move(row.name));
    token = row.enclosing;
  }
  std::reverse(definition.chain.begin(), definition.chain.end());
  definition.element = ElementOf(location, definition, extends);
  return definitions_.emplace(key, std::move(definition)).first->second;
}

uint8_t TypeBinder::ElementOf(TypeLocation location, const Definition& definition, Token extends) {
  if (definition.chain.empty()) return element::kEnd;
  if (definition.chain.size() == 1) {
    const std::string& name = definition.chain.front();
    if (name == "System.Enum") return element::kClass;  // itself a class, though it extends ValueType
    if (name == "System.String") return element::kString;
    if (name == "System.Object") return element::kObject;
  }
  if (abi::IsNilToken(extends) || abi::TokenType(extends) == abi::kTokenTypeSpec) return element::kClass;
  const std::string base = RefName(location.module, extends, {});
  if (base == "System.Enum") return UnderlyingOf(location);
  if (base != "System.ValueType") return element::kClass;
  const uint8_t primitive =
      definition.chain.size() == 1 ? element::PrimitiveOf(definition.chain.front()) : element::kEnd;
  return primitive != element::kEnd ? primitive : element::kValueType;
}

// The one instance field of an enum.
uint8_t TypeBinder::UnderlyingOf(TypeLocation enum_type) {
  for (Token token : metadata_.Fields(enum_type.module, enum_type.type_def)) {
    const BoundField& field = Field(enum_type.module, token);
    if ((field.flags & abi::kFieldStatic) == 0 && field.readable) return field.type.element;
  }
  return element::kI4;
}

const BoundField& TypeBinder::Field(ModuleId module, Token token) {
  const ModuleToken key{module, token};
  const auto known = fields_.find(key);
  if (known != fields_.end()) return known->second;
  BoundField field;
  FieldRow row;
  if (metadata_.Field(module, token, &row)) {
    field.name = std::move(row.name);
    field.flags = row.flags;
    field.readable = ReadFieldSignature(row.signature, &field.type);
  }
  return fields_.emplace(key, std::move(field)).first->second;
}

// A TypeDef or TypeRef by name alone: nothing is resolved, nothing is loaded.
std::string TypeBinder::RefName(ModuleId module, Token token, const Arguments& arguments) {
  std::vector<std::string> chain;
  while (abi::TokenType(token) == abi::kTokenTypeRef && chain.size() < kMaxNesting) {
    TypeRefRow row;
    if (!metadata_.TypeRef(module, token, &row)) return {};
    chain.push_back(std::move(row.name));
    token = row.scope;
  }
  for (TypeDefRow row; abi::TokenType(token) == abi::kTokenTypeDef && token != 0 && chain.size() < kMaxNesting;) {
    if (!metadata_.TypeDef(module, token, &row)) return {};
    chain.push_back(row.name);
    token = row.enclosing;
  }
  std::reverse(chain.begin(), chain.end());
  return ComposeTypeName(Views(chain), Names(arguments));
}

const BoundType* TypeBinder::Intern(BoundType type) {
  std::string key = KeyOf(type);
  const auto known = by_key_.find(key);
  if (known != by_key_.end()) return known->second;
  types_.push_back(std::move(type));
  return by_key_[std::move(key)] = &types_.back();
}

const BoundType* TypeBinder::FromSignature(ModuleId module, const SignatureType& type, const BoundType& owner) {
  switch (type.element) {
    case element::kVar:
      if (type.number < owner.arguments.size()) return owner.arguments[type.number];
      return Intern(Simple("!" + std::to_string(type.number), element::kEnd));
    case element::kMVar:
      return Intern(Simple("!!" + std::to_string(type.number), element::kEnd));
    case element::kClass:
    case element::kValueType:
      return FromToken(module, type, owner);
    case element::kSzArray:
    case element::kArray:
    case element::kPtr:
    case element::kByRef:
      return Intern(BindWrapped(module, type, owner));
    case element::kFnPtr:
      return Intern(Simple(kFunctionPointer, element::kFnPtr));
    default:
      return Wellknown(type.element);
  }
}

const BoundType* TypeBinder::Wellknown(uint8_t element) {
  const BoundType*& known = simple_[element];
  if (known == nullptr) known = Intern(Simple(std::string(element::WellKnownName(element)), element));
  return known;
}

// Without arguments the token alone says which type it is, whoever the owner is.
const BoundType* TypeBinder::FromToken(ModuleId module, const SignatureType& type, const BoundType& owner) {
  if (!type.children.empty()) return Intern(BindToken(module, type, owner));
  const ModuleToken key{module, type.token};
  const auto known = plain_.find(key);
  return known != plain_.end() ? known->second : plain_[key] = Intern(BindToken(module, type, owner));
}

BoundType TypeBinder::BindWrapped(ModuleId module, const SignatureType& type, const BoundType& owner) {
  const BoundType* inner = FromSignature(module, type.children.front(), owner);
  BoundType wrapped;
  wrapped.element = type.element;
  wrapped.module = inner->module;
  if (type.element == element::kPtr || type.element == element::kByRef) {
    wrapped.name = inner->name + (type.element == element::kPtr ? "*" : "&");
    return wrapped;
  }
  wrapped.array_element = inner;
  wrapped.rank = type.element == element::kArray ? type.number : 1;
  wrapped.name = ComposeArrayName(inner->name, wrapped.rank, type.element == element::kArray);
  return wrapped;
}

BoundType TypeBinder::BindToken(ModuleId module, const SignatureType& type, const BoundType& owner) {
  Arguments arguments;
  for (const SignatureType& child : type.children) arguments.push_back(FromSignature(module, child, owner));
  if (type.element == element::kValueType) {
    const TypeLocation location = resolver_.Resolve(module, type.token);
    if (location) return BindDefinition(location, std::move(arguments));
    problems_.Add("types.unresolved_struct",
                  "No loaded module defines the struct " + RefName(module, type.token, arguments) + ".");
  }
  BoundType bound;
  bound.name = RefName(module, type.token, arguments);
  bound.element = type.element;
  bound.arguments = std::move(arguments);
  return bound;
}

ClassId TypeBinder::LayoutClass(const BoundType& type) {
  if (type.class_id != 0) return type.class_id;
  if (type.type_def == 0) return 0;
  const auto known = layout_classes_.find(&type);
  if (known != layout_classes_.end()) return known->second;
  std::vector<ClassId> arguments;
  for (const BoundType* argument : type.arguments) arguments.push_back(ArgumentClass(*argument));
  const bool complete = std::find(arguments.begin(), arguments.end(), ClassId{0}) == arguments.end();
  const ClassId id = complete ? classes_.Find(type.module, type.type_def, arguments) : 0;
  return layout_classes_[&type] = id;
}

// Reference arguments share one layout, which is loaded in any case; the exact instantiation may not be.
ClassId TypeBinder::ArgumentClass(const BoundType& argument) {
  if (argument.IsReference()) return CoreClass("System.__Canon");
  if (argument.class_id != 0 || argument.type_def != 0) return LayoutClass(argument);
  const std::string_view name = element::WellKnownName(argument.element);
  return name.empty() ? 0 : CoreClass(name.data());
}

ClassId TypeBinder::CoreClass(const char* name) {
  const auto known = core_classes_.find(name);
  if (known != core_classes_.end()) return known->second;
  const TypeLocation location = resolver_.CoreType(name);
  return core_classes_[name] = location ? classes_.Find(location.module, location.type_def, {}) : 0;
}

}  // namespace cairn::collector
