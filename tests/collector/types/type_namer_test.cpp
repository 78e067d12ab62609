#include "collector/types/type_namer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snapshot-format/stream/chunk.h"
#include "tests/collector/types/fake_runtime.h"

namespace cairn::collector {
namespace {

using protocol::FieldKind;
using protocol::TypeKind;
using ::testing::ElementsAre;
using testing::FakeRuntime;
using ::testing::IsEmpty;
using testing::kShop;
using Core = FakeRuntime;

constexpr uint8_t kI4 = 0x08, kStringType = 0x0E, kStruct = 0x11, kClass = 0x12, kVar = 0x13, kGeneric = 0x15,
                  kObjectType = 0x1C, kSzArray = 0x1D;

// Coded TypeDef token of one byte.
uint8_t Coded(Token type_def) { return static_cast<uint8_t>(abi::TokenRow(type_def) << 2); }

std::vector<std::string> Paths(const protocol::TypeName& name) {
  std::vector<std::string> paths;
  for (const protocol::Field& field : name.fields) {
    paths.push_back(std::to_string(field.offset) + " " + field.name + ": " + field.type);
  }
  return paths;
}

class TypeNamerTest : public ::testing::Test {
 protected:
  protocol::TypeName Name(ClassId id) { return namer.Name({7, id, false, false}); }

  FakeRuntime runtime;
  ModuleTable modules{runtime};
  ProblemList problems;
  TypeNamer namer{runtime, runtime, modules, problems};
};

TEST_F(TypeNamerTest, NamesAClassWithItsBases) {
  const Token base = runtime.Define("Shop.Base", Core::kObjectRef);
  const Token order = runtime.Define("Shop.Order", base);
  const Token id = runtime.AddField(base, "_id", {kI4});
  const Token note = runtime.AddField(order, "<Note>k__BackingField", {kStringType});
  runtime.Load(100, base, Core::kObject, {}, {{id, 8}});
  runtime.Load(101, order, 100, {}, {{note, 16}});
  const protocol::TypeName name = Name(101);
  EXPECT_EQ(name.id, 7u);
  EXPECT_EQ(name.name, "Shop.Order");
  EXPECT_EQ(name.kind, TypeKind::kClass);
  EXPECT_EQ(name.base, "Shop.Base");
  EXPECT_EQ(modules.Modules().at(name.module).name, "Shop.dll");
  EXPECT_THAT(Paths(name), ElementsAre("8 _id: System.Int32", "16 <Note>k__BackingField: System.String"));
  EXPECT_EQ(name.fields[0].kind, FieldKind::kPrimitive);
  EXPECT_EQ(name.fields[0].element_type, kI4);
  EXPECT_EQ(name.fields[1].kind, FieldKind::kReference);
  EXPECT_THAT(problems.Problems(), IsEmpty());
}

TEST_F(TypeNamerTest, FlattensStructsInStructs) {
  // struct Inner { string S; int N; } struct Mid { int X; Inner In; } class C { Mid M; }
  const Token inner = runtime.Define("Shop.Inner", Core::kValueTypeRef);
  const Token mid = runtime.Define("Shop.Mid", Core::kValueTypeRef);
  const Token c = runtime.Define("Shop.C", Core::kObjectRef);
  runtime.Load(100, inner, Core::kValueType, {},
               {{runtime.AddField(inner, "S", {kStringType}), 0}, {runtime.AddField(inner, "N", {kI4}), 8}}, 16);
  runtime.Load(101, mid, Core::kValueType, {},
               {{runtime.AddField(mid, "X", {kI4}), 0}, {runtime.AddField(mid, "In", {kStruct, Coded(inner)}), 8}}, 24);
  runtime.Load(102, c, Core::kObject, {}, {{runtime.AddField(c, "M", {kStruct, Coded(mid)}), 16}});
  // M at 16; In at 8 in it; S at 0 and N at 8 in that
  EXPECT_THAT(Paths(Name(102)),
              ElementsAre("16 M.X: System.Int32", "24 M.In.S: System.String", "32 M.In.N: System.Int32"));
  // boxed: 8 bytes of header before the struct
  const protocol::TypeName boxed = Name(101);
  EXPECT_EQ(boxed.kind, TypeKind::kBoxedStruct);
  EXPECT_THAT(Paths(boxed), ElementsAre("8 X: System.Int32", "16 In.S: System.String", "24 In.N: System.Int32"));
  // array: from the component's start
  runtime.LoadArray(103, kStruct, 101);
  const protocol::TypeName array = Name(103);
  EXPECT_EQ(array.name, "Shop.Mid[]");
  EXPECT_EQ(array.element, "Shop.Mid");
  EXPECT_EQ(array.base, "System.Array");
  EXPECT_EQ(array.rank, 1);
  EXPECT_THAT(Paths(array), ElementsAre("0 X: System.Int32", "8 In.S: System.String", "16 In.N: System.Int32"));
}

TEST_F(TypeNamerTest, SubstitutesTypeParametersAndAsksForCanonicalLayouts) {
  // class Cache<K, V> { Entry One; V Last; } with struct Entry { K Key; V Value; } nested in it
  const Token cache = runtime.Define("Shop.Cache`2", Core::kObjectRef);
  const Token entry = runtime.Define("Entry", Core::kValueTypeRef, cache);
  const Token key = runtime.AddField(entry, "Key", {kVar, 0}), value = runtime.AddField(entry, "Value", {kVar, 1});
  const Token one = runtime.AddField(cache, "One", {kGeneric, kStruct, Coded(entry), 2, kVar, 0, kVar, 1});
  const Token last = runtime.AddField(cache, "Last", {kVar, 1});
  runtime.Load(100, cache, Core::kObject, {Core::kString, Core::kInt32}, {{one, 16}, {last, 8}});
  runtime.Load(101, entry, Core::kValueType, {Core::kCanon, Core::kInt32}, {{key, 0}, {value, 8}}, 16);
  const protocol::TypeName name = Name(100);
  EXPECT_EQ(name.name, "Shop.Cache<System.String, System.Int32>");
  EXPECT_THAT(Paths(name),
              ElementsAre("8 Last: System.Int32", "16 One.Key: System.String", "24 One.Value: System.Int32"));
  // System.__Canon for the string, the exact class for the int; module kShop is 0x2000 = 8192, Entry its row 3
  EXPECT_THAT(runtime.finds, ElementsAre("4096:7<>", "8192:3<6,5,>"));
}

TEST_F(TypeNamerTest, NamesNestedGenericsAndArrays) {
  const Token cache = runtime.Define("Shop.Cache`2", Core::kObjectRef);
  const Token entry = runtime.Define("Entry", Core::kValueTypeRef, cache);
  runtime.LoadArray(99, kI4, Core::kInt32, 2, true);
  runtime.Load(100, entry, Core::kValueType, {Core::kString, 99});
  runtime.LoadArray(101, kStruct, 100);
  runtime.LoadArray(102, kSzArray, 101);
  EXPECT_EQ(Name(101).name, "Shop.Cache<System.String, System.Int32[,]>+Entry[]");
  EXPECT_EQ(Name(102).name, "Shop.Cache<System.String, System.Int32[,]>+Entry[][]");
  EXPECT_EQ(Name(99).rank, 2);
}

TEST_F(TypeNamerTest, RepeatsInlineArrays) {
  // [InlineArray(3)] struct Three { Pair P; } with struct Pair { object A; int B; }, 16 bytes
  const Token pair = runtime.Define("Shop.Pair", Core::kValueTypeRef);
  const Token three = runtime.Define("Shop.Three", Core::kValueTypeRef);
  const Token c = runtime.Define("Shop.C", Core::kObjectRef);
  runtime.Load(100, pair, Core::kValueType, {},
               {{runtime.AddField(pair, "A", {kObjectType}), 0}, {runtime.AddField(pair, "B", {kI4}), 8}}, 16);
  runtime.Load(101, three, Core::kValueType, {}, {{runtime.AddField(three, "P", {kStruct, Coded(pair)}), 0}}, 48);
  runtime.Load(102, c, Core::kObject, {}, {{runtime.AddField(c, "_t", {kStruct, Coded(three)}), 8}});
  runtime.modules[kShop].inline_lengths[three] = 3;
  EXPECT_THAT(Paths(Name(102)),
              ElementsAre("8 _t[0].A: System.Object", "16 _t[0].B: System.Int32", "24 _t[1].A: System.Object",
                          "32 _t[1].B: System.Int32", "40 _t[2].A: System.Object", "48 _t[2].B: System.Int32"));
  EXPECT_EQ(Paths(Name(101)).at(2), "24 P[1].A: System.Object");  // boxed: 8 + 16
}

TEST_F(TypeNamerTest, CutsHugeInlineArraysAloud) {
  const Token huge = runtime.Define("Shop.Huge", Core::kValueTypeRef);
  runtime.Load(100, huge, Core::kValueType, {}, {{runtime.AddField(huge, "_e", {kObjectType}), 0}}, 8 * 200000);
  runtime.modules[kShop].inline_lengths[huge] = 200000;
  EXPECT_EQ(Name(100).fields.size(), stream::kMaxFixedSlots);
  ASSERT_EQ(problems.Problems().size(), 1u);
  EXPECT_EQ(problems.Problems()[0].code, "types.too_many_fields");
}

TEST_F(TypeNamerTest, KeepsOverlappingFieldsOfAnExplicitLayout) {
  const Token u = runtime.Define("Shop.Union", Core::kValueTypeRef);
  runtime.Load(100, u, Core::kValueType, {},
               {{runtime.AddField(u, "L", {0x0A}), 0}, {runtime.AddField(u, "D", {0x0D}), 0}}, 8);
  EXPECT_THAT(Paths(Name(100)), ElementsAre("8 L: System.Int64", "8 D: System.Double"));
}

TEST_F(TypeNamerTest, ShowsEnumsAsPrimitivesAndEmptyStructsAsOther) {
  const Token color = runtime.Define("Shop.Color", Core::kEnumRef);
  runtime.AddField(color, "value__", {0x05});
  const Token empty = runtime.Define("Shop.Empty", Core::kValueTypeRef);
  const Token c = runtime.Define("Shop.C", Core::kObjectRef);
  runtime.Load(100, empty, Core::kValueType, {}, {}, 1);
  runtime.Load(101, c, Core::kObject, {},
               {{runtime.AddField(c, "_c", {kStruct, Coded(color)}), 8},
                {runtime.AddField(c, "_e", {kStruct, Coded(empty)}), 9}});
  const protocol::TypeName name = Name(101);
  EXPECT_THAT(Paths(name), ElementsAre("8 _c: Shop.Color", "9 _e: Shop.Empty"));
  EXPECT_EQ(name.fields[0].kind, FieldKind::kPrimitive);
  EXPECT_EQ(name.fields[0].element_type, 0x05);  // byte
  EXPECT_EQ(name.fields[1].kind, FieldKind::kOther);
}

TEST_F(TypeNamerTest, ResolvesForwardedStructs) {
  // Shop refers to Facade, which forwards Ext.Pair to Ext
  constexpr ModuleId kFacade = 0x3000, kExt = 0x4000;
  auto& shop = runtime.modules[kShop];
  shop.assembly_refs[abi::kTokenAssemblyRef | 2].name = "Facade";
  shop.type_refs[abi::kTokenTypeRef | 9] = {"Ext.Pair", abi::kTokenAssemblyRef | 2};
  runtime.modules[kFacade].assembly.name = "Facade";
  runtime.modules[kFacade].forwarders["Ext.Pair"] = abi::kTokenAssemblyRef | 1;
  runtime.modules[kFacade].assembly_refs[abi::kTokenAssemblyRef | 1].name = "Ext";
  auto& ext = runtime.modules[kExt];
  ext.assembly.name = "Ext";
  ext.assembly_refs[abi::kTokenAssemblyRef | 1].name = "System.Private.CoreLib";
  ext.type_refs[abi::kTokenTypeRef | 1] = {"System.ValueType", abi::kTokenAssemblyRef | 1};
  ext.type_defs[abi::kTokenTypeDef | 2] = {"Ext.Pair", 0, abi::kTokenTypeRef | 1, 0};
  ext.fields[abi::kTokenFieldDef | 1] = {"A", 0};
  ext.signatures[abi::kTokenFieldDef | 1] = {0x06, kObjectType};
  runtime.classes[100].row = {kExt, abi::kTokenTypeDef | 2, Core::kValueType, {}};
  runtime.classes[100].layout = {{{abi::kTokenFieldDef | 1, 0}}, 8};
  const Token c = runtime.Define("Shop.C", Core::kObjectRef);
  runtime.Load(101, c, Core::kObject, {}, {{runtime.AddField(c, "_p", {kStruct, 9 << 2 | 1}), 8}});
  EXPECT_THAT(Paths(Name(101)), ElementsAre("8 _p.A: System.Object"));
}

TEST_F(TypeNamerTest, SaysWhatItCannotResolve) {
  auto& shop = runtime.modules[kShop];
  shop.assembly_refs[abi::kTokenAssemblyRef | 2].name = "Missing";
  shop.type_refs[abi::kTokenTypeRef | 9] = {"Gone.Pair", abi::kTokenAssemblyRef | 2};
  const Token c = runtime.Define("Shop.C", Core::kObjectRef);
  runtime.Load(100, c, Core::kObject, {}, {{runtime.AddField(c, "_p", {kStruct, 9 << 2 | 1}), 8}});
  const protocol::TypeName name = Name(100);
  EXPECT_THAT(Paths(name), ElementsAre("8 _p: Gone.Pair"));
  EXPECT_EQ(name.fields[0].kind, FieldKind::kOther);
  EXPECT_EQ(problems.Problems().at(0).code, "types.no_layout");
  EXPECT_EQ(problems.Problems().at(1).code, "types.unresolved_struct");
}

TEST_F(TypeNamerTest, SurvivesAClassThatTheRuntimeRefuses) {
  runtime.classes[0x64].refused = true;
  const protocol::TypeName name = Name(0x64);
  EXPECT_EQ(name.name, "(unknown 0x64)");
  EXPECT_EQ(name.kind, TypeKind::kUnknown);
  EXPECT_EQ(problems.Problems().at(0).code, "types.unknown_class");
}

TEST_F(TypeNamerTest, GivesStringsTheirTwoFields) {
  const protocol::TypeName name = Name(Core::kString);
  EXPECT_EQ(name.kind, TypeKind::kString);
  EXPECT_THAT(Paths(name), ElementsAre("8 _stringLength: System.Int32", "12 _firstChar: System.Char"));
}

TEST_F(TypeNamerTest, LinksBasesAmongTheNamedTypes) {
  const Token order = runtime.Define("Shop.Order", Core::kObjectRef);
  runtime.Load(100, order, Core::kObject);
  const WalkedTypeRef types[] = {{0, 100, false, false}, {1, Core::kObject, false, false}, {2, 0, false, true}};
  std::vector<protocol::TypeName> names;
  ASSERT_TRUE(namer.NameAll(types, &names));
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[0].base_type, 1u);
  EXPECT_EQ(names[1].base_type, protocol::kNoId);
  EXPECT_EQ(names[2].name, "Free");
}

TEST_F(TypeNamerTest, MarksTypesOfCollectibleModules) {
  runtime.modules[kShop].row.flags = abi::kModuleCollectible;
  const Token order = runtime.Define("Shop.Order", Core::kObjectRef);
  runtime.Load(100, order, Core::kObject);
  EXPECT_TRUE(Name(100).collectible);
}

TEST(ModuleTable, NamesEmittedModulesByTheirAssembly) {
  FakeRuntime runtime;
  ModuleTable modules(runtime);
  runtime.modules[0x3000].row = {"RefEmit_InMemoryManifestModule", "RefEmit_InMemoryManifestModule", 0,
                                 abi::kModuleDynamic};
  runtime.modules[0x3000].assembly.name = "Proxies";
  EXPECT_EQ(modules.Modules().size(), 0u);
  EXPECT_EQ(modules.Intern(kShop), 0u);
  EXPECT_EQ(modules.Intern(0x3000), 1u);
  EXPECT_EQ(modules.Intern(kShop), 0u);
  EXPECT_EQ(modules.Modules()[1].name, "Proxies");
  EXPECT_EQ(modules.Intern(0x9999), protocol::kNoId);
  EXPECT_EQ(modules.Intern(0), protocol::kNoId);
}

TEST(ProblemList, CountsWhatItDoesNotKeep) {
  ProblemList problems;
  for (int i = 0; i < 20; ++i) problems.Add("a.b", std::to_string(i), i == 19);
  const std::vector<protocol::Problem> kept = problems.Problems();
  ASSERT_EQ(kept.size(), 9u);                           // 8 kept, 1 that counts the rest
  EXPECT_EQ(kept[8].message, "12 more of this kind.");  // 20 - 8
  EXPECT_TRUE(kept[8].incomplete);
}

}  // namespace
}  // namespace cairn::collector
