#include "tests/collector/types/fake_runtime.h"

#include <algorithm>

namespace cairn::collector::testing {
namespace {

template <class Map, class Key, class Value>
bool Look(const Map& map, const Key& key, Value* value) {
  const auto found = map.find(key);
  if (found == map.end()) return false;
  *value = found->second;
  return true;
}

TypeDefRow Row(const char* name, Token extends) {
  TypeDefRow row;
  row.name = name;
  row.extends = extends;
  return row;
}

}  // namespace

FakeRuntime::FakeRuntime() {
  FakeModule& core = modules[kCore];
  core.row.path = "/dotnet/System.Private.CoreLib.dll";
  core.assembly.name = "System.Private.CoreLib";
  const char* names[] = {"System.Object", "System.ValueType", "System.Enum",
                         "System.String", "System.Int32",     "System.__Canon"};
  const Token bases[] = {0, kCoreObject, kCoreValueType, kCoreObject, kCoreValueType, kCoreObject};
  const ClassId parents[] = {0, kObject, kValueType, kObject, kValueType, kObject};
  for (uint32_t i = 0; i < 6; ++i) {
    core.type_defs[kCoreObject + i] = Row(names[i], bases[i]);
    classes[i + 1].row = {kCore, kCoreObject + i, parents[i], {}};
  }
  FakeModule& shop = modules[kShop];
  shop.row.path = "/app/Shop.dll";
  shop.assembly.name = "Shop";
  shop.assembly_refs[abi::kTokenAssemblyRef | 1].name = "System.Private.CoreLib";
  shop.type_refs[kObjectRef] = {"System.Object", abi::kTokenAssemblyRef | 1};
  shop.type_refs[kValueTypeRef] = {"System.ValueType", abi::kTokenAssemblyRef | 1};
  shop.type_refs[kEnumRef] = {"System.Enum", abi::kTokenAssemblyRef | 1};
}

Token FakeRuntime::Define(const std::string& name, Token extends, Token enclosing) {
  TypeDefRow row = Row(name.c_str(), extends);
  row.enclosing = enclosing;
  modules[kShop].type_defs[next_type_] = row;
  return next_type_++;
}

Token FakeRuntime::AddField(Token type_def, const std::string& name, std::vector<uint8_t> signature, uint32_t flags) {
  FakeModule& shop = modules[kShop];
  signature.insert(signature.begin(), abi::kSignatureField);
  shop.fields[next_field_] = {name, flags};
  shop.signatures[next_field_] = std::move(signature);
  shop.fields_of[type_def].push_back(next_field_);
  return next_field_++;
}

void FakeRuntime::Load(ClassId id, Token type_def, ClassId parent, std::vector<ClassId> arguments,
                       std::vector<FieldOffset> fields, uint32_t size) {
  FakeClass& loaded = classes[id];
  loaded.row = {kShop, type_def, parent, std::move(arguments)};
  loaded.layout = {std::move(fields), size};
}

void FakeRuntime::LoadArray(ClassId id, uint8_t element_type, ClassId element, uint32_t rank, bool bounds) {
  FakeClass& loaded = classes[id];
  loaded.is_array = true;
  loaded.array = {element_type, element, rank, bounds};
}

std::vector<ModuleId> FakeRuntime::Modules() {
  std::vector<ModuleId> ids;
  for (const auto& [id, module] : modules) ids.push_back(id);
  return ids;
}

bool FakeRuntime::Module(ModuleId module, ModuleRow* row) {
  const auto found = modules.find(module);
  if (found == modules.end()) return false;
  *row = found->second.row;
  return true;
}

bool FakeRuntime::TypeDef(ModuleId module, Token token, TypeDefRow* row) {
  return Look(modules[module].type_defs, token, row);
}
bool FakeRuntime::TypeRef(ModuleId module, Token token, TypeRefRow* row) {
  return Look(modules[module].type_refs, token, row);
}
bool FakeRuntime::Method(ModuleId module, Token token, MethodRow* row) {
  return Look(modules[module].methods, token, row);
}

bool FakeRuntime::Field(ModuleId module, Token token, FieldRow* row) {
  std::pair<std::string, uint32_t> field;
  if (!Look(modules[module].fields, token, &field)) return false;
  row->name = field.first;
  row->flags = field.second;
  row->signature = modules[module].signatures[token];
  return true;
}

Token FakeRuntime::FindTypeDef(ModuleId module, std::string_view name, Token enclosing) {
  for (const auto& [token, row] : modules[module].type_defs) {
    if (row.name == name && row.enclosing == enclosing) return token;
  }
  return 0;
}

bool FakeRuntime::FindExportedType(ModuleId module, std::string_view name, ExportedTypeRow* row) {
  return Look(modules[module].forwarders, std::string(name), &row->implementation);
}

Answer FakeRuntime::Array(ClassId id, ArrayRow* row) {
  const auto found = classes.find(id);
  if (found == classes.end() || found->second.refused) return Answer::kRefused;
  *row = found->second.array;
  return found->second.is_array ? Answer::kYes : Answer::kNo;
}

bool FakeRuntime::Class(ClassId id, ClassRow* row) {
  *row = classes[id].row;
  return row->token != 0;
}

bool FakeRuntime::Layout(ClassId id, ClassLayout* layout) {
  const auto found = classes.find(id);
  if (found == classes.end()) return false;
  *layout = found->second.layout;
  return true;
}

ClassId FakeRuntime::Find(ModuleId module, Token type_def, std::span<const ClassId> arguments) {
  std::string asked = std::to_string(module) + ":" + std::to_string(abi::TokenRow(type_def)) + "<";
  for (ClassId argument : arguments) asked += std::to_string(argument) + ",";
  finds.push_back(asked + ">");
  for (const auto& [id, loaded] : classes) {
    const ClassRow& row = loaded.row;
    if (row.module == module && row.token == type_def && std::ranges::equal(row.arguments, arguments)) return id;
  }
  return 0;
}

}  // namespace cairn::collector::testing
