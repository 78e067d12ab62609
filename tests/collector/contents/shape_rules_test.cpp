#include "collector/contents/shape_rules.h"

#include <gtest/gtest.h>

#include "collector/abi/element_types.h"

namespace cairn::collector {
namespace {

using abi::ElementType;

// Bytes that are kept, 0 for none.
uint32_t Kept(const char* field, ElementType type, bool of_framework) {
  const ShapeRule rule = RuleFor(field, static_cast<uint8_t>(type), of_framework);
  return rule.wanted ? rule.bytes : 0;
}

TEST(ShapeRules, FlagsAndStatesOfAnyModule) {
  EXPECT_EQ(Kept("_disposed", ElementType::kBoolean, false), 1u);
  EXPECT_EQ(Kept("<IsDisposed>k__BackingField", ElementType::kBoolean, false), 1u);
  EXPECT_EQ(Kept("m_disposed", ElementType::kInt32, false), 4u);
  EXPECT_EQ(Kept("<>1__state", ElementType::kInt32, false), 4u);
  EXPECT_EQ(Kept("<>1__state", ElementType::kBoolean, false), 0u);
  EXPECT_EQ(Kept("_disposed", ElementType::kString, false), 0u);
  EXPECT_EQ(Kept("_disposed", ElementType::kDouble, false), 0u);
}

// What an application calls a count may be anything.
TEST(ShapeRules, CountsOfTheFrameworkOnly) {
  EXPECT_EQ(Kept("_size", ElementType::kInt32, true), 4u);
  EXPECT_EQ(Kept("_size", ElementType::kInt32, false), 0u);
  EXPECT_EQ(Kept("_key", ElementType::kInt32, true), 0u);
}

TEST(ShapeRules, CodeOfDelegates) {
  const auto rule = [](const char* field, bool of_framework) {
    return RuleFor(field, static_cast<uint8_t>(ElementType::kIntPtr), of_framework);
  };
  EXPECT_TRUE(rule("_methodPtr", true).is_code);
  EXPECT_TRUE(rule("_methodPtrAux", true).is_code);
  EXPECT_FALSE(rule("_invocationCount", true).is_code);
  EXPECT_TRUE(rule("_invocationCount", true).wanted);
  EXPECT_FALSE(rule("_methodPtr", false).wanted);
  EXPECT_FALSE(rule("_handle", true).wanted);
}

TEST(ShapeRules, Framework) {
  EXPECT_TRUE(IsFramework("System.Private.CoreLib.dll"));
  EXPECT_FALSE(IsFramework("Shop.dll"));
}

}  // namespace
}  // namespace cairn::collector
