#include "collector/runtime/static_slots.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>

namespace cairn::collector {
namespace {

// Offsets that differ from those of any real runtime.
constexpr const char* kContract = R"({"types":{
  "Module":{"TypeDefToMethodTableMap":32,"AvailableTypeParams":24},
  "ModuleLookupMap":{"Next":16,"TableData":0,"Count":8},
  "EETypeHashTable":{"Buckets":8,"Count":16,"VolatileEntryValue":8,"VolatileEntryNextEntry":0},
  "MethodTable":{"MTFlags2":4,"ParentMethodTable":8,"AuxiliaryData":16,"EEClassOrCanonMT":24},
  "EEClass":{"FieldDescList":0,"NumInstanceFields":8,"NumStaticFields":12,"NumThreadStaticFields":14},
  "DynamicStaticsInfo":{"!":24,"GCStatics":0},
  "ThreadStaticsInfo":{"!":40,"GCTlsIndex":4}}})";

struct MethodTable {
  uint32_t flags = 0;
  uint32_t flags2 = 0;
  uint64_t parent = 0;
  uint64_t auxiliary = 0;
  uint64_t eeclass = 0;
  uint64_t padding[4] = {};
};
struct EeClass {
  uint64_t fields = 0;
  uint16_t instance_fields = 0, padding1 = 0, static_fields = 0, thread_fields = 0;
};
struct Statics {  // lies right before the auxiliary data
  uint32_t other_index = 0, thread_index = 9;
  uint64_t generic = 0;
  uint64_t gc = 0, other = 0, more = 0;
};
struct Field {
  uint64_t enclosing = 0;
  uint32_t row_and_flags = 0;
  uint32_t offset_and_type = 0;
};

uint64_t Address(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }
Field MakeField(uint32_t row, uint32_t flags, uint32_t offset, uint32_t type) {
  return {0, row | flags, offset | type << 27};
}
constexpr uint32_t kStatic = 1u << 24, kThread = 1u << 25, kRva = 1u << 26;

class StaticSlotsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    base_class = {0, 1, 0, 0, 0};
    base.eeclass = Address(&base_class);
    eeclass = {Address(fields), 2, 0, 7, 2};  // one instance field of its own, one inherited
    table.flags2 = 2;
    table.parent = Address(&base);
    table.auxiliary = Address(&statics) + sizeof statics;
    table.eeclass = Address(&eeclass);
    statics.gc = 0x10000;
  }

  MethodTable base, table, shared;
  EeClass base_class, eeclass;
  Statics statics;
  Field fields[8] = {MakeField(1, 0, 8, 0x12),        // an instance field
                     MakeField(2, kStatic, 0, 0x12),  // slot 0
                     MakeField(3, kStatic, 8, 0x11),  // slot 1, boxed
                     MakeField(4, kStatic, 0, 0x08),  // int
                     MakeField(5, kStatic | kThread, 24, 0x12),
                     MakeField(7, kStatic | kThread, 4, 0x08),
                     MakeField(6, kStatic | kRva, 0, 0x12),
                     MakeField(0x123456, kStatic, 16, 0x12)};
  StaticSlots slots{kContract};
};

TEST_F(StaticSlotsTest, FindsReferenceAndBoxedSlots) {
  ASSERT_TRUE(slots.Available());
  const std::vector<StaticSlot> found = slots.SlotsOf(Address(&table));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].field, 0x04000002u);
  EXPECT_EQ(found[0].address, 0x10000u);
  EXPECT_FALSE(found[0].boxed);
  EXPECT_EQ(found[1].address, 0x10008u);
  EXPECT_TRUE(found[1].boxed);
  EXPECT_EQ(found[2].field, 0x04123456u);
  EXPECT_EQ(found[2].address, 0x10010u);
}

TEST_F(StaticSlotsTest, GoesThroughTheCanonicalMethodTable) {
  shared = table;
  shared.eeclass = Address(&table) | 1;
  EXPECT_EQ(slots.SlotsOf(Address(&shared)).size(), 3u);
  EXPECT_EQ(slots.ThreadStaticsOf(Address(&shared)).fields.size(), 1u);
}

TEST_F(StaticSlotsTest, FindsReferencesAmongTheThreadStatics) {
  const ThreadStaticFields found = slots.ThreadStaticsOf(Address(&table));
  EXPECT_EQ(found.index, 9u);
  ASSERT_EQ(found.fields.size(), 1u);
  EXPECT_EQ(found.fields[0].field, 0x04000005u);
  EXPECT_EQ(found.fields[0].offset, 24u);
  statics.gc |= 1;  // the class may be initialised for no thread but this
  EXPECT_EQ(slots.ThreadStaticsOf(Address(&table)).fields.size(), 1u);
  eeclass.thread_fields = 0;
  EXPECT_TRUE(slots.ThreadStaticsOf(Address(&table)).fields.empty());
}

TEST_F(StaticSlotsTest, FindsTheSameWhenTrusted) {
  slots.Trust();
  EXPECT_EQ(slots.SlotsOf(Address(&table)).size(), 3u);
  EXPECT_EQ(slots.ThreadStaticsOf(Address(&table)).fields.size(), 1u);
  EXPECT_EQ(slots.WithStatics({Address(&table), Address(&base)}), std::vector<uint64_t>{Address(&table)});
  EXPECT_TRUE(slots.SlotsOf(0).empty());
}

TEST_F(StaticSlotsTest, LeavesOutWhatIsNotInitialised) {
  statics.gc |= 1;
  EXPECT_TRUE(slots.SlotsOf(Address(&table)).empty());
  statics.gc = 0;
  EXPECT_TRUE(slots.SlotsOf(Address(&table)).empty());
  statics.gc = 0x10000;
  table.flags2 = 0;
  EXPECT_TRUE(slots.SlotsOf(Address(&table)).empty());
}

TEST_F(StaticSlotsTest, PicksTheTablesWithStaticsPastWildOnes) {
  const uint64_t good = Address(&table), bad = 0xDEAD0000DEAD0000;
  EXPECT_EQ(slots.WithStatics({Address(&base), bad, good, bad, good}), (std::vector<uint64_t>{good, good}));
  EXPECT_EQ(slots.WithStatics(std::vector<uint64_t>(2000, good)).size(), 2000u);  // several batches
}

TEST_F(StaticSlotsTest, SurvivesWildPointers) {
  EXPECT_TRUE(slots.SlotsOf(0).empty());
  EXPECT_TRUE(slots.SlotsOf(0xDEAD0000DEAD0000).empty());
  table.eeclass = 0xDEAD0000DEAD0000;
  EXPECT_TRUE(slots.SlotsOf(Address(&table)).empty());
  table.eeclass = Address(&eeclass);
  base_class.instance_fields = 5;  // more than the derived class has
  EXPECT_TRUE(slots.SlotsOf(Address(&table)).empty());
}

TEST_F(StaticSlotsTest, ListsTheTypesOfAModuleOverAllMaps) {
  struct Map {
    uint64_t table, count, next;
  };
  const uint64_t first[] = {0, Address(&table) | 1}, second[] = {Address(&base)};
  const Map rest{Address(second), 1, 0};
  // Two instantiations in one chain, one more and a pointer type in another, and an empty chain.
  struct Entry {
    uint64_t next, type;
  };
  const Entry pointer{1, 0x5002}, third{Address(&pointer), 0x4000}, second_of_chain{3, 0x3000},
      first_of_chain{Address(&second_of_chain), Address(&shared) | 1};
  const uint64_t buckets[] = {3, 0, 0, Address(&first_of_chain), 1, Address(&third)};
  const uint64_t hash[] = {0, Address(buckets), 3};
  struct {
    uint64_t padding[3] = {};
    uint64_t hash;
    Map map;
  } module{{}, Address(hash), {Address(first), 2, Address(&rest)}};
  EXPECT_EQ(slots.MethodTables(Address(&module)),  // without their flags
            (std::vector<uint64_t>{Address(&table), Address(&base), Address(&shared), 0x3000, 0x4000}));
  EXPECT_TRUE(slots.MethodTables(0xDEAD0000DEAD0000).empty());
}

TEST(StaticSlots, IsNotAvailableWithoutAllOffsets) {
  EXPECT_FALSE(StaticSlots("").Available());
  std::string cut = kContract;
  cut.replace(cut.find("NumStaticFields"), 15, "NumStaticFieldz");
  EXPECT_FALSE(StaticSlots(cut).Available());
}

}  // namespace
}  // namespace cairn::collector
