#include "collector/capture/shape_finder.h"

#include <gtest/gtest.h>

#include "collector/types/element_type.h"
#include "tests/collector/types/fake_runtime.h"

namespace cairn::collector::testing {
namespace {

// Of this runtime every class has a header word of 8 bytes before the fields that a layout tells.
class ShapeFinderTest : public ::testing::Test {
 protected:
  static std::vector<uint8_t> Signature(uint8_t element) { return {element}; }
  std::vector<std::pair<uint32_t, uint32_t>> Kept(ClassId id) {
    ShapeTable table;
    ShapeFinder finder(runtime_, runtime_);
    finder.Add(id, table);
    table.Close();
    std::vector<std::pair<uint32_t, uint32_t>> kept;
    for (const uint32_t packed : table.Find(id)->slots) {
      const stream::ValueSlot slot = stream::UnpackedValueSlot(packed);
      kept.emplace_back(slot.offset, slot.bytes);
    }
    return kept;
  }

  FakeRuntime runtime_;
};

using Slots = std::vector<std::pair<uint32_t, uint32_t>>;

TEST_F(ShapeFinderTest, FieldsOfTheClassAndItsBases) {
  const Token base = runtime_.Define("Base", FakeRuntime::kObjectRef);
  const Token disposed = runtime_.AddField(base, "_disposed", Signature(element::kBoolean));
  const Token derived = runtime_.Define("Derived", base);
  const Token count = runtime_.AddField(derived, "_secret", Signature(element::kI4));
  const Token state = runtime_.AddField(derived, "<>1__state", Signature(element::kI4));
  runtime_.Load(100, base, FakeRuntime::kObject, {}, {{disposed, 0}});
  runtime_.Load(101, derived, 100, {}, {{count, 8}, {state, 12}});
  EXPECT_EQ(Kept(100), (Slots{{8, 1}}));
  EXPECT_EQ(Kept(101), (Slots{{8, 1}, {20, 4}}));
}

TEST_F(ShapeFinderTest, StaticsAndArraysKeepNothing) {
  const Token type = runtime_.Define("Type", FakeRuntime::kObjectRef);
  const Token flag = runtime_.AddField(type, "_disposed", Signature(element::kBoolean), abi::kFieldStatic);
  runtime_.Load(100, type, FakeRuntime::kObject, {}, {{flag, 0}});
  runtime_.LoadArray(101, element::kI4, FakeRuntime::kInt32);
  EXPECT_EQ(Kept(100), Slots());
  EXPECT_EQ(Kept(101), Slots());
  EXPECT_EQ(Kept(999), Slots());  // not a class at all
}

TEST_F(ShapeFinderTest, StateOfAnAsyncMethodInItsBox) {
  const Token machine = runtime_.Define("Run>d__1", FakeRuntime::kValueTypeRef);
  const Token state = runtime_.AddField(machine, "<>1__state", Signature(element::kI4));
  const Token box = runtime_.Define("Box", FakeRuntime::kObjectRef);
  const Token held = runtime_.AddField(box, "StateMachine", {element::kVar, 0});
  runtime_.Load(100, machine, FakeRuntime::kValueType, {}, {{state, 4}});
  runtime_.Load(101, box, FakeRuntime::kObject, {100}, {{held, 40}});
  EXPECT_EQ(Kept(101), Slots());  // an application's own box means nothing
  runtime_.modules[kShop].row.scope = "System.Shop.dll";
  EXPECT_EQ(Kept(101), (Slots{{8 + 40 + 4, 4}}));
}

}  // namespace
}  // namespace cairn::collector::testing
