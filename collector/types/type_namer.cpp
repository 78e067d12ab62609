#include "collector/types/type_namer.h"

#include <exception>
#include <unordered_map>
#include <utility>

#include "collector/types/field_flattener.h"
#include "collector/types/type_binder.h"
#include "collector/types/type_name_text.h"

namespace cairn::collector {
namespace {

constexpr const char* kFreeName = "Free";

protocol::TypeKind KindOf(const BoundType& type) {
  if (type.element == element::kEnd) return protocol::TypeKind::kUnknown;
  if (type.array_element != nullptr) return protocol::TypeKind::kArray;
  if (type.element == element::kString) return protocol::TypeKind::kString;
  return type.IsReference() ? protocol::TypeKind::kClass : protocol::TypeKind::kBoxedStruct;
}

// The runtime lays strings out itself and gives no layout: length behind the MethodTable, then the characters.
std::vector<protocol::Field> StringFields() {
  constexpr uint32_t kLengthOffset = sizeof(void*);
  return {{"_stringLength", kLengthOffset, protocol::FieldKind::kPrimitive, element::kI4, "System.Int32"},
          {"_firstChar", kLengthOffset + 4, protocol::FieldKind::kPrimitive, element::kChar, "System.Char"}};
}

}  // namespace

struct TypeNamer::State {
  State(MetadataSource& metadata, ClassSource& classes, ModuleTable& modules, ProblemList& problems)
      : classes(classes),
        modules(modules),
        problems(problems),
        binder(metadata, classes, problems),
        flattener(binder, metadata, classes, problems) {}

  protocol::TypeName Describe(const WalkedTypeRef& type);
  std::vector<protocol::Field> FieldsOf(const BoundType& type, protocol::TypeKind kind);
  void SetBase(const BoundType& type, protocol::TypeName* name);

  ClassSource& classes;
  ModuleTable& modules;
  ProblemList& problems;
  TypeBinder binder;
  FieldFlattener flattener;
  std::unordered_map<ClassId, uint32_t> id_of;
};

protocol::TypeName TypeNamer::State::Describe(const WalkedTypeRef& type) {
  protocol::TypeName name;
  name.id = type.id;
  name.kind = protocol::TypeKind::kUnknown;
  name.collectible = type.collectible;
  if (type.is_free) {
    name.name = kFreeName;
    return name;
  }
  const BoundType& bound = *binder.FromClass(type.class_id);
  name.name = bound.name;
  name.kind = KindOf(bound);
  name.module = modules.Intern(bound.module);
  name.collectible |= modules.Collectible(name.module);
  name.rank = static_cast<uint8_t>(bound.rank);
  if (bound.array_element != nullptr) name.element = bound.array_element->name;
  SetBase(bound, &name);
  name.fields = FieldsOf(bound, name.kind);
  return name;
}

void TypeNamer::State::SetBase(const BoundType& type, protocol::TypeName* name) {
  if (type.array_element != nullptr) name->base = "System.Array";
  if (type.parent == 0) return;
  name->base = binder.FromClass(type.parent)->name;
  const auto id = id_of.find(type.parent);
  if (id != id_of.end()) name->base_type = id->second;
}

std::vector<protocol::Field> TypeNamer::State::FieldsOf(const BoundType& type, protocol::TypeKind kind) {
  switch (kind) {
    case protocol::TypeKind::kString:
      return StringFields();
    case protocol::TypeKind::kClass:
      return flattener.ObjectFields(type);
    case protocol::TypeKind::kArray:
      if (!type.array_element->IsStruct()) return {};
      return flattener.ValueFields(*type.array_element);
    case protocol::TypeKind::kBoxedStruct: {
      std::vector<protocol::Field> fields = flattener.ValueFields(type);
      const uint32_t header = classes.BoxOffset(type.class_id);
      for (protocol::Field& field : fields) field.offset += header;
      return fields;
    }
    default:
      return {};
  }
}

TypeNamer::TypeNamer(MetadataSource& metadata, ClassSource& classes, ModuleTable& modules, ProblemList& problems)
    : state_(std::make_unique<State>(metadata, classes, modules, problems)) {}
TypeNamer::~TypeNamer() = default;

bool TypeNamer::NameAll(std::span<const WalkedTypeRef> types, std::vector<protocol::TypeName>* names) try {
  for (const WalkedTypeRef& type : types) {
    if (!type.is_free) state_->id_of.emplace(type.class_id, type.id);
  }
  names->reserve(names->size() + types.size());
  for (const WalkedTypeRef& type : types) names->push_back(state_->Describe(type));
  return true;
} catch (const std::exception&) {
  return false;
}

protocol::TypeName TypeNamer::Name(const WalkedTypeRef& type) try {
  return state_->Describe(type);
} catch (const std::exception&) {
  protocol::TypeName name;
  name.id = type.id;
  name.kind = protocol::TypeKind::kUnknown;
  return name;
}

const std::string& TypeNamer::ClassName(ClassId id) try {
  return state_->binder.FromClass(id)->name;
} catch (const std::exception&) {
  static const std::string kNone;
  return kNone;
}

std::string TypeNamer::DefinitionName(ModuleId module, Token type_def) try {
  return state_->binder.DefinitionName({module, type_def});
} catch (const std::exception&) {
  return {};
}

TypeBinder& TypeNamer::Binder() { return state_->binder; }

}  // namespace cairn::collector
