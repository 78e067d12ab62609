#include "collector/contents/shape_table.h"

#include <gtest/gtest.h>

namespace cairn::collector {
namespace {

TEST(ShapeTable, FindsWhatWasAdded) {
  ShapeTable table;
  EXPECT_EQ(table.Find(8), nullptr);
  for (uint64_t i = 1; i <= 1000; ++i) {
    const uint32_t slots[] = {static_cast<uint32_t>(i), static_cast<uint32_t>(2 * i)};
    table.Add(i * 64, {std::span(slots).first(i % 3), {static_cast<uint32_t>(i), 0}});
  }
  table.Close();
  EXPECT_EQ(table.Types(), 1000u);
  for (uint64_t i = 1; i <= 1000; ++i) {
    const ShapeTable::Shape* const shape = table.Find(i * 64);
    ASSERT_NE(shape, nullptr) << i;
    ASSERT_EQ(shape->slots.size(), i % 3);
    for (size_t slot = 0; slot < i % 3; ++slot) EXPECT_EQ(shape->slots[slot], (slot + 1) * i);
    EXPECT_EQ(shape->code[0], i);
  }
  EXPECT_EQ(table.Find(32), nullptr);
  EXPECT_EQ(table.Find(1001 * 64), nullptr);
}

}  // namespace
}  // namespace cairn::collector
