#pragma once
// A runtime made of tables: modules with type definitions, and the classes that are loaded.

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "collector/abi/masks.h"
#include "collector/abi/metadata_constants.h"
#include "collector/types/runtime_source.h"

namespace cairn::collector::testing {

inline constexpr ModuleId kCore = 0x1000, kShop = 0x2000;
inline constexpr Token kDef = abi::kTokenTypeDef, kRef = abi::kTokenTypeRef, kField = abi::kTokenFieldDef;

class FakeRuntime final : public MetadataSource, public ClassSource {
 public:
  struct FakeModule {
    ModuleRow row;
    AssemblyIdentity assembly;
    std::map<Token, TypeDefRow> type_defs;
    std::map<Token, TypeRefRow> type_refs;
    std::map<Token, AssemblyIdentity> assembly_refs;
    std::map<std::string, Token> forwarders;  // to an AssemblyRef
    std::map<Token, std::pair<std::string, uint32_t>> fields;
    std::map<Token, std::vector<uint8_t>> signatures;
    std::map<Token, std::vector<Token>> fields_of;
    std::map<Token, uint32_t> inline_lengths;
    std::map<Token, MethodRow> methods;
  };
  struct FakeClass {
    ClassRow row;
    ClassLayout layout;
    bool is_array = false;
    ArrayRow array;
    bool refused = false;
  };

  FakeRuntime();

  // System.Object, ValueType, Enum, String, Int32, __Canon of the core library, with the classes 1 to 6.
  static constexpr ClassId kObject = 1, kValueType = 2, kEnum = 3, kString = 4, kInt32 = 5, kCanon = 6;
  static constexpr Token kCoreObject = kDef | 2, kCoreValueType = kDef | 3, kCoreEnum = kDef | 4;
  // The same as seen from kShop.
  static constexpr Token kObjectRef = kRef | 1, kValueTypeRef = kRef | 2, kEnumRef = kRef | 3;

  // Adds a type of kShop and gives its token.
  Token Define(const std::string& name, Token extends, Token enclosing = 0);
  Token AddField(Token type_def, const std::string& name, std::vector<uint8_t> signature, uint32_t flags = 0);
  void Load(ClassId id, Token type_def, ClassId parent, std::vector<ClassId> arguments = {},
            std::vector<FieldOffset> fields = {}, uint32_t size = 0);
  void LoadArray(ClassId id, uint8_t element_type, ClassId element, uint32_t rank = 1, bool bounds = false);

  std::map<ModuleId, FakeModule> modules;
  std::map<ClassId, FakeClass> classes;
  std::vector<std::string> finds;  // what Find was asked, "module:token<arguments>"

  std::vector<ModuleId> Modules() override;
  bool Module(ModuleId module, ModuleRow* row) override;
  AssemblyIdentity Identity(ModuleId module) override { return modules[module].assembly; }
  AssemblyIdentity ReferredIdentity(ModuleId module, Token ref) override { return modules[module].assembly_refs[ref]; }
  bool TypeDef(ModuleId module, Token token, TypeDefRow* row) override;
  bool TypeRef(ModuleId module, Token token, TypeRefRow* row) override;
  bool TypeSpec(ModuleId, Token, Signature*) override { return false; }
  bool Field(ModuleId module, Token token, FieldRow* row) override;
  bool Method(ModuleId module, Token token, MethodRow* row) override;
  std::vector<Token> TypeDefs(ModuleId module) override {
    std::vector<Token> tokens;
    for (const auto& [token, row] : modules[module].type_defs) tokens.push_back(token);
    return tokens;
  }
  std::vector<Token> Fields(ModuleId module, Token type_def) override { return modules[module].fields_of[type_def]; }
  std::vector<Token> Methods(ModuleId module, Token type_def) override {
    std::vector<Token> tokens;
    for (const auto& [token, row] : modules[module].methods) {
      if (row.owner == type_def) tokens.push_back(token);
    }
    return tokens;
  }
  uint32_t InlineArrayLength(ModuleId module, Token token) override { return modules[module].inline_lengths[token]; }
  Token FindTypeDef(ModuleId module, std::string_view name, Token enclosing) override;
  bool FindExportedType(ModuleId module, std::string_view name, ExportedTypeRow* row) override;

  Answer Array(ClassId id, ArrayRow* row) override;
  bool Class(ClassId id, ClassRow* row) override;
  bool Layout(ClassId id, ClassLayout* layout) override;
  uint32_t BoxOffset(ClassId) override { return 8; }
  ClassId Find(ModuleId module, Token type_def, std::span<const ClassId> arguments) override;

 private:
  Token next_type_ = kDef | 2;
  Token next_field_ = kField | 1;
};

}  // namespace cairn::collector::testing
