#pragma once
// Static fields as they lie in the runtime's own tables: those of generic instantiations, of structs and of classes
// without an instance too, which the profiling API does not give. .NET 10 x64.
// What a field description looks like is not in the contract: whoever uses this compares with the API.
// Call-site rule: outside the pause; modules that are not collectible. Thread rule: one thread.

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::collector {

struct StaticSlot {
  uint32_t field = 0;    // FieldDef
  uint64_t address = 0;  // of the slot with the reference
  bool boxed = false;    // a struct: the slot refers to its box
};

class StaticSlots {
 public:
  // `contract`: what ReadContractDescriptor gave.
  explicit StaticSlots(const std::string& contract);

  // False: this runtime does not say what is needed.
  bool Available() const { return available_; }
  // MethodTables of the types that a module defines and that are loaded.
  std::vector<uint64_t> MethodTables(uint64_t module) const;
  // Those among them that may have slots, with few system calls.
  std::vector<uint64_t> WithStatics(std::vector<uint64_t> method_tables) const;
  // Slots of an initialised class; none for others.
  std::vector<StaticSlot> SlotsOf(uint64_t method_table) const;

 private:
  struct Offsets {
    uint32_t module_types, map_next, map_table, map_count;
    uint32_t flags2, parent, auxiliary, eeclass;
    uint32_t field_descriptions, instance_fields, static_fields;
    uint32_t statics_size, gc_statics;
  };
  bool ReadOffsets(const std::string& contract);
  // The words of a MethodTable that are needed, in one read.
  struct Table {
    uint32_t flags2 = 0;
    uint64_t parent = 0, auxiliary = 0, eeclass = 0;
  };
  Table Decode(const uint8_t* bytes) const;
  bool ReadTable(uint64_t method_table, Table* table) const;
  uint64_t EeClass(const Table& table) const;
  uint64_t GcStatics(const Table& table) const;
  uint32_t FieldCount(const Table& table, uint64_t eeclass) const;

  Offsets offsets_{};
  bool available_ = false;
};

}  // namespace cairn::collector
