#include "collector/types/type_resolver.h"

#include <gtest/gtest.h>

#include "tests/collector/types/fake_runtime.h"

namespace cairn::collector::testing {
namespace {

constexpr Token kAssemblyRef = abi::kTokenAssemblyRef;
constexpr ModuleId kFirst = 0x3000, kSecond = 0x4000, kThird = 0x5000;
constexpr uint64_t kKey = 0xB77A;

uint64_t Version(uint64_t major, uint64_t minor = 0) { return major << 48 | minor << 32; }

// Shop refers to "Ext.Pair" of "Ext" 2.0, by the TypeRef kPair.
class TypeResolverTest : public ::testing::Test {
 protected:
  static constexpr Token kPair = kRef | 9;

  TypeResolverTest() {
    auto& shop = runtime.modules[kShop];
    shop.assembly_refs[kAssemblyRef | 2] = {"Ext", "", Version(2), kKey};
    shop.type_refs[kPair] = {"Ext.Pair", kAssemblyRef | 2};
  }

  // An assembly "Ext" that defines the type.
  FakeRuntime::FakeModule& Load(ModuleId id, uint64_t version, uint64_t key = kKey) {
    auto& module = Bare(id, {"Ext", "", version, key});
    module.type_defs[kDef | 2] = {"Ext.Pair", 0, 0, 0};
    return module;
  }
  FakeRuntime::FakeModule& Bare(ModuleId id, AssemblyIdentity assembly) {
    auto& module = runtime.modules[id];
    module.assembly = std::move(assembly);
    return module;
  }
  // From "Ext.Pair" of one to that of an assembly named.
  void Forward(ModuleId from, AssemblyIdentity to) {
    runtime.modules[from].forwarders["Ext.Pair"] = kAssemblyRef | 7;
    runtime.modules[from].assembly_refs[kAssemblyRef | 7] = std::move(to);
  }
  ModuleId Found(Token token = kPair) { return TypeResolver(runtime).Resolve(kShop, token).module; }

  FakeRuntime runtime;
};

TEST_F(TypeResolverTest, TakesTheExactIdentityBeforeHigherAndLowerVersions) {
  Load(kFirst, Version(3));
  Load(kSecond, Version(1));
  Load(kThird, Version(2));
  EXPECT_EQ(Found(), kThird);
}

TEST_F(TypeResolverTest, TakesTheNearestHigherVersionBeforeLowerOnes) {
  Load(kFirst, Version(1));
  Load(kSecond, Version(3));
  Load(kThird, Version(2, 1));
  EXPECT_EQ(Found(), kThird);
}

TEST_F(TypeResolverTest, TakesAnotherKeyOrALowerVersionWhereThereIsNoBetter) {
  Load(kFirst, Version(2), 0xBAD);
  EXPECT_EQ(Found(), kFirst);
  Load(kSecond, Version(1));
  EXPECT_EQ(Found(), kFirst);  // neither fits: the one that was loaded first
  Load(kThird, Version(4));
  EXPECT_EQ(Found(), kThird);
}

TEST_F(TypeResolverTest, NamesDifferInCaseOnly) {
  Load(kFirst, Version(2)).assembly.name = "EXT";
  EXPECT_EQ(Found(), kFirst);
}

TEST_F(TypeResolverTest, PassesOverAFittingAssemblyThatLacksTheType) {
  Bare(kFirst, {"Ext", "", Version(2), kKey});
  Load(kSecond, Version(1));
  EXPECT_EQ(Found(), kSecond);
}

TEST_F(TypeResolverTest, FollowsAMovedTypeToTheVersionThatIsForwardedTo) {
  // Ext 2.0 → Ext.Core 5.0, which is there as 4.0 and 5.0; then on to Ext.Base
  Bare(kFirst, {"Ext", "", Version(2), kKey});
  Forward(kFirst, {"Ext.Core", "", Version(5), 0});
  auto& older = Bare(kSecond, {"Ext.Core", "", Version(4), 0});
  older.type_defs[kDef | 2] = {"Ext.Pair", 0, 0, 0};
  Bare(kThird, {"Ext.Core", "", Version(5), 0});
  Forward(kThird, {"Ext.Base", "", Version(1), 0});
  auto& base = Bare(0x6000, {"Ext.Base", "", Version(1), 0});
  base.type_defs[kDef | 3] = {"Ext.Pair", 0, 0, 0};
  base.type_defs[kDef | 4] = {"Part", kDef | 3, 0, 0};
  EXPECT_EQ(Found(), 0x6000u);
  runtime.modules[kShop].type_refs[kRef | 10] = {"Part", kPair};  // nested: forwarded with its enclosing type
  const TypeLocation part = TypeResolver(runtime).Resolve(kShop, kRef | 10);
  EXPECT_EQ(part.module, 0x6000u);
  EXPECT_EQ(part.type_def, kDef | 4);
}

TEST_F(TypeResolverTest, OfEqualIdentitiesTakesThatOfTheReferrersContextAndFolder) {
  auto& shop = runtime.modules[kShop].row;
  shop.path = "/app/plugins/Shop.dll";
  Load(kFirst, Version(2)).row.flags = abi::kModuleCollectible;
  Load(kSecond, Version(2)).row.path = "/app/Ext.dll";
  Load(kThird, Version(2)).row.path = "/app/plugins/Ext.dll";
  EXPECT_EQ(Found(), kThird);
  shop.flags = abi::kModuleCollectible;
  EXPECT_EQ(Found(), kFirst);
}

TEST_F(TypeResolverTest, SaysWhatIsNotLoadedAndEndsInCircles) {
  EXPECT_EQ(Found(), 0u);
  Bare(kFirst, {"Ext", "", Version(2), kKey});
  EXPECT_EQ(Found(), 0u);
  Forward(kFirst, {"Ext.Core", "", 0, 0});
  EXPECT_EQ(Found(), 0u);
  Bare(kSecond, {"Ext.Core", "", 0, 0});
  Forward(kSecond, {"Ext", "", Version(2), kKey});
  EXPECT_EQ(Found(), 0u);
}

TEST_F(TypeResolverTest, FindsTypesOfTheModuleItselfAndOfTheCoreLibrary) {
  const Token own = runtime.Define("Shop.Order", FakeRuntime::kObjectRef);
  runtime.modules[kShop].type_refs[kRef | 11] = {"Shop.Order", 1};  // the module, as a scope
  EXPECT_EQ(TypeResolver(runtime).Resolve(kShop, kRef | 11).type_def, own);
  EXPECT_EQ(TypeResolver(runtime).CoreType("System.Enum").type_def, FakeRuntime::kCoreEnum);
  EXPECT_EQ(TypeResolver(runtime).Resolve(kShop, own).type_def, own);
}

}  // namespace
}  // namespace cairn::collector::testing
