#include "collector/runtime/static_slots.h"

#include <algorithm>
#include <cstring>

#include "collector/runtime/contract_text.h"

namespace cairn::collector {
namespace {

constexpr uint64_t kTagMask = 7;            // low bits of table entries and of EEClassOrCanonMT
constexpr uint64_t kTypeDesc = 2;           // of a type handle: a pointer or the like, not a MethodTable
constexpr uint64_t kNotInitialised = 1;     // of a pointer to statics
constexpr uint32_t kHasDynamicStatics = 2;  // MTFlags2
constexpr uint32_t kMaxTypes = 1u << 24;    // rows that a metadata table can have
constexpr unsigned kMaxMaps = 64;           // of one chain
constexpr size_t kTableBytes = 64;          // of a MethodTable, without what varies
constexpr uint32_t kMaxFields = 1u << 17;
constexpr uint32_t kFieldDef = 0x04000000;

// Of a hash table: its buckets begin with their number and two words more; a chain ends with an odd word.
constexpr uint64_t kBucketsBefore = 3, kChainEnd = 1;
constexpr uint64_t kMaxBuckets = 1u << 24, kMaxEntries = 1u << 24;

constexpr uint32_t kRowMask = 0x00FFFFFF, kStatic = 1u << 24, kThreadStatic = 1u << 25, kRva = 1u << 26;
constexpr uint32_t kKindMask = kStatic | kThreadStatic | kRva;
constexpr uint32_t kOffsetMask = 0x07FFFFFF, kTypeShift = 27;
constexpr uint32_t kValueType = 0x11, kClass = 0x12;

bool HoldsReference(uint32_t type) { return type == kClass || type == kValueType; }

}  // namespace

StaticSlots::StaticSlots(const std::string& contract) { available_ = ReadOffsets(contract); }

bool StaticSlots::ReadOffsets(const std::string& contract) {
  const ContractText text(contract);
  const bool known = text.Offsets({
      {"Module", "TypeDefToMethodTableMap", &offsets_.module_types},
      {"Module", "AvailableTypeParams", &offsets_.module_instantiations},
      {"ModuleLookupMap", "Next", &offsets_.map_next},
      {"ModuleLookupMap", "TableData", &offsets_.map_table},
      {"ModuleLookupMap", "Count", &offsets_.map_count},
      {"EETypeHashTable", "Buckets", &offsets_.hash_buckets},
      {"EETypeHashTable", "VolatileEntryValue", &offsets_.hash_value},
      {"EETypeHashTable", "VolatileEntryNextEntry", &offsets_.hash_next},
      {"MethodTable", "MTFlags2", &offsets_.flags2},
      {"MethodTable", "ParentMethodTable", &offsets_.parent},
      {"MethodTable", "AuxiliaryData", &offsets_.auxiliary},
      {"MethodTable", "EEClassOrCanonMT", &offsets_.eeclass},
      {"EEClass", "FieldDescList", &offsets_.field_descriptions},
      {"EEClass", "NumInstanceFields", &offsets_.instance_fields},
      {"EEClass", "NumStaticFields", &offsets_.static_fields},
      {"EEClass", "NumThreadStaticFields", &offsets_.thread_fields},
      {"DynamicStaticsInfo", "!", &offsets_.statics_size},
      {"DynamicStaticsInfo", "GCStatics", &offsets_.gc_statics},
      {"ThreadStaticsInfo", "!", &offsets_.thread_statics_size},
      {"ThreadStaticsInfo", "GCTlsIndex", &offsets_.thread_index},
  });
  if (!known) return false;
  const uint32_t last = std::max({offsets_.flags2, offsets_.parent, offsets_.auxiliary, offsets_.eeclass});
  return sizeof(void*) == 8 && last + sizeof(uint64_t) <= kTableBytes;
}

// ---- types of a module -----------------------------------------------------------------------------

std::vector<uint64_t> StaticSlots::MethodTables(uint64_t module) const {
  std::vector<uint64_t> tables;
  AddDefined(module, &tables);
  AddInstantiations(module, &tables);
  return tables;
}

void StaticSlots::AddDefined(uint64_t module, std::vector<uint64_t>* tables) const {
  uint64_t map = module + offsets_.module_types;
  for (unsigned i = 0; i < kMaxMaps && map != 0; ++i) {
    uint64_t table = 0, next = 0;
    uint32_t count = 0;
    if (!memory_.Read(map + offsets_.map_table, &table) || !memory_.Read(map + offsets_.map_count, &count)) return;
    std::vector<uint64_t> entries(count < kMaxTypes ? count : 0);
    if (!entries.empty() && memory_.Read(table, entries.data(), entries.size() * sizeof(uint64_t))) {
      for (uint64_t entry : entries) {
        if ((entry & ~kTagMask) != 0) tables->push_back(entry & ~kTagMask);
      }
    }
    if (!memory_.Read(map + offsets_.map_next, &next)) return;
    map = next;
  }
}

// Entries are added while we read; they never go as long as the module is there.
void StaticSlots::AddInstantiations(uint64_t module, std::vector<uint64_t>* tables) const {
  uint64_t hash = 0, buckets = 0, length = 0;
  if (!memory_.Read(module + offsets_.module_instantiations, &hash) || hash == 0) return;
  if (!memory_.Read(hash + offsets_.hash_buckets, &buckets) || !memory_.Read(buckets, &length)) return;
  if (length > kMaxBuckets) return;
  std::vector<uint64_t> heads(length);
  if (length == 0 || !memory_.Read(buckets + kBucketsBefore * sizeof(uint64_t), heads.data(), length * 8)) return;
  uint64_t entries = 0;
  for (uint64_t entry : heads) {
    while (entry != 0 && (entry & kChainEnd) == 0 && ++entries < kMaxEntries) {
      uint64_t type = 0, next = 0;
      if (!memory_.Read(entry + offsets_.hash_value, &type) || !memory_.Read(entry + offsets_.hash_next, &next)) break;
      if ((type & kTypeDesc) == 0 && (type & ~kTagMask) != 0) tables->push_back(type & ~kTagMask);
      entry = next;
    }
  }
}

std::vector<uint64_t> StaticSlots::WithStatics(const std::vector<uint64_t>& method_tables) const {
  const std::vector<uint8_t> bytes = memory_.ReadMany(method_tables, kTableBytes);
  std::vector<uint64_t> found;
  for (size_t i = 0; i < method_tables.size(); ++i) {
    const Table table = Decode(bytes.data() + i * kTableBytes);
    if ((table.flags2 & kHasDynamicStatics) != 0) found.push_back(method_tables[i]);
  }
  return found;
}

// ---- one type --------------------------------------------------------------------------------------

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
  if (!memory_.Read(method_table, bytes, sizeof bytes)) return false;
  *table = Decode(bytes);
  return true;
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
  if (!memory_.Read(table.auxiliary - offsets_.statics_size + offsets_.gc_statics, &statics)) return 0;
  return (statics & kNotInitialised) != 0 ? 0 : statics;
}

// The list holds the instance fields that the class adds to its base, then its statics.
uint32_t StaticSlots::FieldCount(const Table& table, uint64_t eeclass) const {
  uint16_t instance = 0, inherited = 0, statics = 0;
  if (!memory_.Read(eeclass + offsets_.instance_fields, &instance)) return 0;
  if (!memory_.Read(eeclass + offsets_.static_fields, &statics)) return 0;
  if (table.parent != 0) {
    Table parent;
    if (!ReadTable(table.parent, &parent) || !memory_.Read(EeClass(parent) + offsets_.instance_fields, &inherited)) {
      return 0;
    }
  }
  return instance < inherited ? 0 : static_cast<uint32_t>(instance - inherited) + statics;
}

std::vector<StaticSlots::FieldDescription> StaticSlots::Fields(const Table& table, uint64_t eeclass) const {
  const uint32_t count = FieldCount(table, eeclass);
  uint64_t list = 0;
  if (count == 0 || count > kMaxFields || !memory_.Read(eeclass + offsets_.field_descriptions, &list)) return {};
  std::vector<FieldDescription> fields(count);
  if (!memory_.Read(list, fields.data(), fields.size() * sizeof(FieldDescription))) return {};
  return fields;
}

std::vector<StaticSlot> StaticSlots::SlotsOf(uint64_t method_table) const {
  std::vector<StaticSlot> slots;
  Table table;
  const uint64_t statics = ReadTable(method_table, &table) ? GcStatics(table) : 0;
  const uint64_t eeclass = statics == 0 ? 0 : EeClass(table);
  if (eeclass == 0) return slots;
  for (const FieldDescription& field : Fields(table, eeclass)) {
    const uint32_t type = field.offset_and_type >> kTypeShift;
    if ((field.row_and_flags & kKindMask) != kStatic || !HoldsReference(type)) continue;
    slots.push_back({kFieldDef | (field.row_and_flags & kRowMask), statics + (field.offset_and_type & kOffsetMask),
                     type == kValueType});
  }
  return slots;
}

ThreadStaticFields StaticSlots::ThreadStaticsOf(uint64_t method_table) const {
  ThreadStaticFields found;
  Table table;
  if (!ReadTable(method_table, &table) || (table.flags2 & kHasDynamicStatics) == 0) return found;
  const uint64_t eeclass = EeClass(table);
  uint16_t count = 0;
  if (eeclass == 0 || !memory_.Read(eeclass + offsets_.thread_fields, &count) || count == 0) return found;
  if (!memory_.Read(table.auxiliary - offsets_.thread_statics_size + offsets_.thread_index, &found.index)) return found;
  for (const FieldDescription& field : Fields(table, eeclass)) {
    if ((field.row_and_flags & kKindMask) != (kStatic | kThreadStatic)) continue;
    if (!HoldsReference(field.offset_and_type >> kTypeShift)) continue;
    found.fields.push_back({kFieldDef | (field.row_and_flags & kRowMask), field.offset_and_type & kOffsetMask});
  }
  return found;
}

}  // namespace cairn::collector
