#pragma once
// What naming needs to know of the runtime, as two small interfaces: rows of metadata tables, and classes
// as they are loaded. Com*Source answers through the profiling API, tests answer from tables.
// A function that returns bool says false when the runtime refused; nothing is thrown on purpose.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collector/abi/ids.h"
#include "collector/types/assembly_identity.h"

namespace cairn::collector {

using ClassId = uint64_t;
using ModuleId = uint64_t;
using FunctionId = uint64_t;
using Token = abi::mdToken;  // table in the top byte, row below; row 0 is nil

// Points into the module's metadata: valid while the module is loaded.
using Signature = std::span<const uint8_t>;

struct TypeDefRow {
  std::string name;     // namespace included; of a nested type without its enclosing types
  Token enclosing = 0;  // TypeDef; 0 for top-level types
  Token extends = 0;    // TypeDef, TypeRef or TypeSpec; 0 for none
  uint32_t flags = 0;
};
struct TypeRefRow {
  std::string name;
  Token scope = 0;  // AssemblyRef, Module, ModuleRef; the enclosing TypeRef of a nested type
};
struct FieldRow {
  std::string name;
  uint32_t flags = 0;
  Signature signature;
};
struct MethodRow {
  std::string name;
  Token owner = 0;  // TypeDef
};
struct ExportedTypeRow {
  Token implementation = 0;  // AssemblyRef: forwarded; File: another module of the assembly
};
struct ModuleRow {
  std::string path;   // empty for modules that were made in memory
  std::string scope;  // name in the metadata
  uint64_t assembly = 0;
  uint32_t flags = 0;
};

class MetadataSource {
 public:
  virtual std::vector<ModuleId> Modules() = 0;
  virtual bool Module(ModuleId module, ModuleRow* row) = 0;
  // Of the assembly that the module belongs to, and of one that it refers to; without a name when unknown.
  virtual AssemblyIdentity Identity(ModuleId module) = 0;
  std::string AssemblyName(ModuleId module) { return Identity(module).name; }
  virtual AssemblyIdentity ReferredIdentity(ModuleId module, Token assembly_ref) = 0;

  virtual bool TypeDef(ModuleId module, Token token, TypeDefRow* row) = 0;
  virtual bool TypeRef(ModuleId module, Token token, TypeRefRow* row) = 0;
  virtual bool TypeSpec(ModuleId module, Token token, Signature* signature) = 0;
  virtual bool Field(ModuleId module, Token token, FieldRow* row) = 0;
  virtual bool Method(ModuleId module, Token token, MethodRow* row) = 0;
  virtual std::vector<Token> TypeDefs(ModuleId module) = 0;
  virtual std::vector<Token> Fields(ModuleId module, Token type_def) = 0;
  virtual std::vector<Token> Methods(ModuleId module, Token type_def) = 0;
  // Length of an [InlineArray]; 0 for other types.
  virtual uint32_t InlineArrayLength(ModuleId module, Token type_def) = 0;

  // TypeDef of that name, nested in `enclosing` where that is not 0; 0: there is none.
  virtual Token FindTypeDef(ModuleId module, std::string_view name, Token enclosing) = 0;
  // Forwarder of a top-level type.
  virtual bool FindExportedType(ModuleId module, std::string_view name, ExportedTypeRow* row) = 0;

 protected:
  ~MetadataSource() = default;
};

struct ArrayRow {
  uint8_t element_type = 0;   // CorElementType; of enums the underlying one
  ClassId element_class = 0;  // of primitives too
  uint32_t rank = 1;
  bool multi_dimensional = false;  // has bounds; of rank 1 too ("[*]")
};
struct ClassRow {
  ModuleId module = 0;
  Token token = 0;
  ClassId parent = 0;
  std::vector<ClassId> arguments;
};
struct FieldOffset {
  Token field = 0;
  uint32_t offset = 0;  // reference type: from the object's start; struct: from the unboxed value's start
};
struct ClassLayout {
  std::vector<FieldOffset> fields;  // instance fields that the class itself introduces
  uint32_t size = 0;                // struct: of the unboxed value
};

enum class Answer : uint8_t { kYes, kNo, kRefused };

class ClassSource {
 public:
  virtual Answer Array(ClassId id, ArrayRow* row) = 0;
  virtual bool Class(ClassId id, ClassRow* row) = 0;
  virtual bool Layout(ClassId id, ClassLayout* layout) = 0;
  virtual uint32_t BoxOffset(ClassId id) = 0;  // 0 for reference types
  // Finds, and where it must loads, a type. 0: refused. Call-site rule: a thread with a managed Thread,
  // never inside a GC callback.
  virtual ClassId Find(ModuleId module, Token type_def, std::span<const ClassId> arguments) = 0;

 protected:
  ~ClassSource() = default;
};

}  // namespace cairn::collector
