#include "collector/roots/unsafe_names.h"

#include <gtest/gtest.h>

#include "tests/collector/roots/fake_functions.h"

namespace cairn::collector {
namespace {

using State = UnsafeNames::State;

TEST(UnsafeNames, TellsNamedFromOrdinaryFromUnseen) {
  testing::FakeFunctions functions;
  functions.unsafe[0x10] = "(dynamic) A";
  UnsafeNames names;
  ASSERT_TRUE(names.Map());
  names.Add(functions, 0x10);
  names.Add(functions, 0x18);
  std::string_view name;
  EXPECT_EQ(names.Find(0x10, &name), State::kNamed);
  EXPECT_EQ(name, "(dynamic) A");
  EXPECT_EQ(names.Find(0x18, &name), State::kOrdinary);
  EXPECT_EQ(names.Find(0x20, &name), State::kNotSeen);
  names.Reset();
  EXPECT_EQ(names.Find(0x10, &name), State::kNotSeen);
}

TEST(UnsafeNames, CountsWhatDoesNotFit) {
  testing::FakeFunctions functions;
  UnsafeNames names;
  ASSERT_TRUE(names.Map());
  for (FunctionId id = 1; id <= 40000; ++id) names.Add(functions, id * 8);
  EXPECT_EQ(names.Dropped(), 40000u - 32768u);  // half of 65,536 slots
  std::string_view name;
  EXPECT_EQ(names.Find(40000 * 8, &name), State::kNotSeen);
}

TEST(UnsafeNames, WithoutMemorySeesNothing) {
  testing::FakeFunctions functions;
  UnsafeNames names;
  names.Add(functions, 8);
  std::string_view name;
  EXPECT_EQ(names.Find(8, &name), State::kNotSeen);
}

}  // namespace
}  // namespace cairn::collector
