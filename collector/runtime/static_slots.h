#pragma once
// Static fields as they lie in the runtime's own tables: those of generic instantiations, of structs and of classes
// without an instance too, which the profiling API does not give. .NET 10 x64.
// What a field description looks like is not in the contract: whoever uses this compares with the API, and calls
// Trust when they agree: from then on memory is read directly, without a system call each.
// Call-site rule: outside the pause; modules that are not collectible, and their types. Thread rule: one thread.

#include <cstdint>
#include <string>
#include <vector>

#include "collector/runtime/runtime_memory.h"

namespace cairn::collector {

struct StaticSlot {
  uint32_t field = 0;    // FieldDef
  uint64_t address = 0;  // of the slot with the reference
  bool boxed = false;    // a struct: the slot refers to its box
};

// The statics that a class has once per thread: each thread's slots lie in an array of its own, which the thread keeps
// under `index`.
struct ThreadStaticFields {
  struct Field {
    uint32_t field = 0;   // FieldDef
    uint32_t offset = 0;  // of the slot from the start of the array
  };
  uint32_t index = 0;
  std::vector<Field> fields;
};

class StaticSlots {
 public:
  // `contract`: the text that ReadContractDescriptor gave.
  explicit StaticSlots(const std::string& contract);

  // False: this runtime does not say what is needed.
  bool Available() const { return available_; }
  void Trust() { memory_.Trust(); }

  // MethodTables of the types that a module defines, and of the instantiations it holds, that are loaded.
  std::vector<uint64_t> MethodTables(uint64_t module) const;
  // Those among them that may have statics.
  std::vector<uint64_t> WithStatics(const std::vector<uint64_t>& method_tables) const;
  // Slots of an initialised class; none for others.
  std::vector<StaticSlot> SlotsOf(uint64_t method_table) const;
  // No fields where the class has no such statics, or no thread has used them yet.
  ThreadStaticFields ThreadStaticsOf(uint64_t method_table) const;

 private:
  struct Offsets {
    uint32_t module_types, module_instantiations, map_next, map_table, map_count;
    uint32_t hash_buckets, hash_value, hash_next;
    uint32_t flags2, parent, auxiliary, eeclass;
    uint32_t field_descriptions, instance_fields, static_fields, thread_fields;
    uint32_t statics_size, gc_statics, thread_statics_size, thread_index;
  };
  // The words of a MethodTable that are needed, in one read.
  struct Table {
    uint32_t flags2 = 0;
    uint64_t parent = 0, auxiliary = 0, eeclass = 0;
  };
  struct FieldDescription {  // not in the contract; measured on .NET 10
    uint64_t enclosing;
    uint32_t row_and_flags;    // row 24 bits, static, thread static, RVA
    uint32_t offset_and_type;  // offset 27 bits, element type 5
  };
  static_assert(sizeof(FieldDescription) == 16);

  bool ReadOffsets(const std::string& contract);
  void AddDefined(uint64_t module, std::vector<uint64_t>* tables) const;
  void AddInstantiations(uint64_t module, std::vector<uint64_t>* tables) const;
  Table Decode(const uint8_t* bytes) const;
  bool ReadTable(uint64_t method_table, Table* table) const;
  uint64_t EeClass(const Table& table) const;
  uint64_t GcStatics(const Table& table) const;
  uint32_t FieldCount(const Table& table, uint64_t eeclass) const;
  std::vector<FieldDescription> Fields(const Table& table, uint64_t eeclass) const;

  RuntimeMemory memory_;
  Offsets offsets_{};
  bool available_ = false;
};

}  // namespace cairn::collector
