#include "collector/runtime/static_slots.h"

#include <algorithm>
#include <cstring>

#include "collector/runtime/contract_text.h"
#include "collector/runtime/safe_memory.h"

namespace cairn::collector {
namespace {

constexpr uint64_t kTagMask = 7;            // low bits of table entries and of EEClassOrCanonMT
constexpr uint64_t kNotInitialised = 1;     // of a pointer to statics
constexpr uint32_t kHasDynamicStatics = 2;  // MTFlags2
constexpr uint32_t kMaxTypes = 1u << 24;    // rows that a metadata table can have
constexpr unsigned kMaxMaps = 64;           // of one chain
constexpr size_t kTableBytes = 64;          // of a MethodTable, without what varies
constexpr uint32_t kMaxFields = 1u << 17;
constexpr uint32_t kFieldDef = 0x04000000;

// Not in the contract; measured on .NET 10.
struct FieldDescription {
  uint64_t enclosing;
  uint32_t row_and_flags;    // row 24 bits, static, thread static, RVA
  uint32_t offset_and_type;  // offset 27 bits, element type 5
};
static_assert(sizeof(FieldDescription) == 16);
constexpr uint32_t kRowMask = 0x00FFFFFF, kStatic = 1u << 24, kThreadStatic = 1u << 25, kRva = 1u << 26;
constexpr uint32_t kOffsetMask = 0x07FFFFFF, kTypeShift = 27;
constexpr uint32_t kValueType = 0x11, kClass = 0x12;

bool HasSlot(const FieldDescription& field) {
  const uint32_t type = field.offset_and_type >> kTypeShift;
  return (field.row_and_flags & (kStatic | kThreadStatic | kRva)) == kStatic && (type == kClass || type == kValueType);
}

}  // namespace

StaticSlots::StaticSlots(const std::string& contract) { available_ = ReadOffsets(contract); }

bool StaticSlots::ReadOffsets(const std::string& contract) {
  const ContractText text(contract);
  const struct {
    const char* type;
    const char* field;
    uint32_t* offset;
  } wanted[] = {
      {"Module", "TypeDefToMethodTableMap", &offsets_.module_types},
      {"ModuleLookupMap", "Next", &offsets_.map_next},
      {"ModuleLookupMap", "TableData", &offsets_.map_table},
      {"ModuleLookupMap", "Count", &offsets_.map_count},
      {"MethodTable", "MTFlags2", &offsets_.flags2},
      {"MethodTable", "ParentMethodTable", &offsets_.parent},
      {"MethodTable", "AuxiliaryData", &offsets_.auxiliary},
      {"MethodTable", "EEClassOrCanonMT", &offsets_.eeclass},
      {"EEClass", "FieldDescList", &offsets_.field_descriptions},
      {"EEClass", "NumInstanceFields", &offsets_.instance_fields},
      {"EEClass", "NumStaticFields", &offsets_.static_fields},
      {"DynamicStaticsInfo", "!", &offsets_.statics_size},
      {"DynamicStaticsInfo", "GCStatics", &offsets_.gc_statics},
  };
  for (const auto& want : wanted) {
    const auto offset = text.Offset(want.type, want.field);
    if (!offset) return false;
    *want.offset = *offset;
  }
  const uint32_t last = std::max({offsets_.flags2, offsets_.parent, offsets_.auxiliary, offsets_.eeclass});
  return sizeof(void*) == 8 && last + sizeof(uint64_t) <= kTableBytes;
}

std::vector<uint64_t> StaticSlots::MethodTables(uint64_t module) const {
  std::vector<uint64_t> tables;
  uint64_t map = module + offsets_.module_types;
  for (unsigned i = 0; i < kMaxMaps && map != 0; ++i) {
    uint64_t table = 0, next = 0;
    uint32_t count = 0;
    if (!ReadSafely(map + offsets_.map_table, &table) || !ReadSafely(map + offsets_.map_count, &count)) break;
    std::vector<uint64_t> entries(count < kMaxTypes ? count : 0);
    if (!entries.empty() && ReadSafely(table, entries.data(), entries.size() * sizeof(uint64_t))) {
      for (uint64_t entry : entries) {
        if ((entry & ~kTagMask) != 0) tables.push_back(entry & ~kTagMask);
      }
    }
    if (!ReadSafely(map + offsets_.map_next, &next)) break;
    map = next;
  }
  return tables;
}

StaticSlots::Table StaticSlots::Decode(const uint8_t* bytes) const {
  Table table;
  std::memcpy(&table.flags2, bytes + offsets_.flags2, sizeof table.flags2);
  std::memcpy(&table.parent, bytes + offsets_.parent, sizeof table.parent);
  std::memcpy(&table.auxiliary, bytes + offsets_.auxiliary, sizeof table.auxiliary);
  std::memcpy(&table.eeclass, bytes + offsets_.eeclass, sizeof table.eeclass);
  return table;
}

bool StaticSlots::ReadTable(uint64_t method_table, Table* table) const {
  uint8_t bytes[kTableBytes];
  if (!ReadSafely(method_table, bytes, sizeof bytes)) return false;
  *table = Decode(bytes);
  return true;
}

std::vector<uint64_t> StaticSlots::WithStatics(std::vector<uint64_t> method_tables) const {
  std::vector<uint8_t> bytes(method_tables.size() * kTableBytes);
  ReadManySafely(method_tables, kTableBytes, bytes.data());
  std::vector<uint64_t> candidates, addresses;
  for (size_t i = 0; i < method_tables.size(); ++i) {
    const Table table = Decode(bytes.data() + i * kTableBytes);
    if ((table.flags2 & kHasDynamicStatics) == 0) continue;
    candidates.push_back(method_tables[i]);
    addresses.push_back(table.auxiliary - offsets_.statics_size + offsets_.gc_statics);
  }
  std::vector<uint64_t> statics(addresses.size());
  ReadManySafely(addresses, sizeof(uint64_t), reinterpret_cast<uint8_t*>(statics.data()));
  std::vector<uint64_t> found;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (statics[i] != 0 && (statics[i] & kNotInitialised) == 0) found.push_back(candidates[i]);
  }
  return found;
}

uint64_t StaticSlots::EeClass(const Table& table) const {
  if ((table.eeclass & 1) == 0) return table.eeclass;
  Table canonical;  // shared code: the canonical MethodTable has the class
  if (!ReadTable(table.eeclass & ~kTagMask, &canonical)) return 0;
  return (canonical.eeclass & 1) == 0 ? canonical.eeclass : 0;
}

uint64_t StaticSlots::GcStatics(const Table& table) const {
  uint64_t statics = 0;
  if ((table.flags2 & kHasDynamicStatics) == 0) return 0;
  if (!ReadSafely(table.auxiliary - offsets_.statics_size + offsets_.gc_statics, &statics)) return 0;
  return (statics & kNotInitialised) != 0 ? 0 : statics;
}

// The list holds the instance fields that the class adds to its base, then its statics.
uint32_t StaticSlots::FieldCount(const Table& table, uint64_t eeclass) const {
  uint16_t instance = 0, inherited = 0, statics = 0;
  if (!ReadSafely(eeclass + offsets_.instance_fields, &instance)) return 0;
  if (!ReadSafely(eeclass + offsets_.static_fields, &statics)) return 0;
  if (table.parent != 0) {
    Table parent;
    if (!ReadTable(table.parent, &parent) || !ReadSafely(EeClass(parent) + offsets_.instance_fields, &inherited)) {
      return 0;
    }
  }
  return instance < inherited ? 0 : static_cast<uint32_t>(instance - inherited) + statics;
}

std::vector<StaticSlot> StaticSlots::SlotsOf(uint64_t method_table) const {
  std::vector<StaticSlot> slots;
  Table table;
  const uint64_t statics = ReadTable(method_table, &table) ? GcStatics(table) : 0;
  const uint64_t eeclass = statics == 0 ? 0 : EeClass(table);
  if (eeclass == 0) return slots;
  const uint32_t count = FieldCount(table, eeclass);
  uint64_t list = 0;
  if (count == 0 || count > kMaxFields || !ReadSafely(eeclass + offsets_.field_descriptions, &list)) return slots;
  std::vector<FieldDescription> fields(count);
  if (!ReadSafely(list, fields.data(), fields.size() * sizeof(FieldDescription))) return slots;
  for (const FieldDescription& field : fields) {
    if (!HasSlot(field)) continue;
    slots.push_back({kFieldDef | (field.row_and_flags & kRowMask), statics + (field.offset_and_type & kOffsetMask),
                     field.offset_and_type >> kTypeShift == kValueType});
  }
  return slots;
}

}  // namespace cairn::collector
