#include "collector/roots/static_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collector/roots/fake_functions.h"
#include "tests/collector/types/fake_runtime.h"

namespace cairn::collector {
namespace {

using testing::FakeFunctions;
using testing::FakeRuntime;
using testing::FakeStatics;
using ::testing::IsEmpty;
using testing::kShop;
using ::testing::UnorderedElementsAre;

constexpr uint8_t kObjectType = 0x1C, kI4 = 0x08, kVar = 0x13;
constexpr uint64_t kSlots = 0x7F0000000000;

class StaticFinderTest : public ::testing::Test {
 protected:
  // A static field of class `id` with the next free slot.
  void AddStatic(ClassId id, Token type_def, const std::string& name, uint8_t type = kObjectType, uint32_t more = 0) {
    const Token field = runtime.AddField(type_def, name, {type}, abi::kFieldStatic | more);
    statics.addresses[{id, field}] = kSlots + 8 * statics.addresses.size();
  }
  std::vector<std::string> Find(std::vector<ClassId> ids) {
    std::vector<protocol::Static> found;
    EXPECT_TRUE(finder.Find(ids, &found));
    std::vector<std::string> text;
    for (const auto& s : found) text.push_back(s.name + "@" + std::to_string((s.slot_address - kSlots) / 8));
    return text;
  }

  FakeRuntime runtime;
  FakeFunctions functions;
  FakeStatics statics;
  ModuleTable modules{runtime};
  ProblemList problems;
  TypeNamer types{runtime, runtime, modules, problems};
  StaticFinder finder{statics, functions, runtime, runtime, types, problems};
};

TEST_F(StaticFinderTest, LooksAtTypesBasesElementsArgumentsAndCompiledClasses) {
  const Token base = runtime.Define("Shop.Base", FakeRuntime::kObjectRef);
  const Token leaf = runtime.Define("Shop.Leaf", base);
  const Token element = runtime.Define("Shop.Element", FakeRuntime::kObjectRef);
  const Token list = runtime.Define("Shop.List`1", FakeRuntime::kObjectRef);
  const Token argument = runtime.Define("Shop.Argument", FakeRuntime::kObjectRef);
  const Token helpers = runtime.Define("Shop.Helpers", FakeRuntime::kObjectRef);
  runtime.Load(100, base, FakeRuntime::kObject);
  runtime.Load(101, leaf, 100);
  runtime.Load(102, element, FakeRuntime::kObject);
  runtime.LoadArray(103, 0x12, 102);
  runtime.Load(104, argument, FakeRuntime::kObject);
  runtime.Load(105, list, FakeRuntime::kObject, {104});
  runtime.Load(106, helpers, FakeRuntime::kObject);
  functions.compiled = {106, 101};
  AddStatic(100, base, "Default");
  AddStatic(102, element, "Empty");
  AddStatic(104, argument, "Count");
  AddStatic(106, helpers, "<Cache>k__BackingField");
  EXPECT_THAT(Find({101, 103, 105}),
              UnorderedElementsAre("Shop.Base.Default@0", "Shop.Element.Empty@1", "Shop.Argument.Count@2",
                                   "Shop.Helpers.<Cache>k__BackingField@3"));
}

TEST_F(StaticFinderTest, SkipsWhatHasNoSlotOfItsOwn) {
  const Token c = runtime.Define("Shop.C", FakeRuntime::kObjectRef);
  runtime.Load(100, c, FakeRuntime::kObject);
  AddStatic(100, c, "Literal", kObjectType, abi::kFieldLiteral);
  AddStatic(100, c, "Rva", kObjectType, abi::kFieldHasFieldRVA);
  AddStatic(100, c, "Number", kI4);
  runtime.AddField(c, "instance", {kObjectType});
  const Token refused = runtime.AddField(c, "NotInitialised", {kObjectType}, abi::kFieldStatic);
  const Token bogus = runtime.AddField(c, "Bogus", {kObjectType}, abi::kFieldStatic);
  statics.addresses[{100, bogus}] = 0x18;  // an offset, not an address
  (void)refused;
  EXPECT_THAT(Find({100}), IsEmpty());
}

TEST_F(StaticFinderTest, LeavesGenericAndCollectibleTypesOut) {
  const Token list = runtime.Define("Shop.List`1", FakeRuntime::kObjectRef);
  runtime.Load(100, list, FakeRuntime::kObject, {FakeRuntime::kString});
  AddStatic(100, list, "Empty", kVar);
  AddStatic(100, list, "Sync");
  EXPECT_THAT(Find({100}), IsEmpty());
  const Token c = runtime.Define("Shop.C", FakeRuntime::kObjectRef);
  runtime.Load(101, c, FakeRuntime::kObject);
  AddStatic(101, c, "S");
  runtime.modules[kShop].row.flags = abi::kModuleCollectible;
  StaticFinder fresh{statics, functions, runtime, runtime, types, problems};
  std::vector<protocol::Static> found;
  const ClassId ids[] = {101};
  EXPECT_TRUE(fresh.Find(ids, &found));
  EXPECT_THAT(found, IsEmpty());
}

}  // namespace
}  // namespace cairn::collector
