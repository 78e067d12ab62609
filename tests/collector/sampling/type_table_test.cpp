#include "collector/sampling/type_table.h"

#include <gtest/gtest.h>

namespace cairn::collector {
namespace {

std::span<const uint8_t> Bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

TEST(TypeTableTest, ATypeIsItsClassAndItsName) {
  TypeTable table;
  const auto first = table.Find(0x1000, Bytes("Order"));
  EXPECT_EQ(first.number, 1u);
  EXPECT_TRUE(first.is_new);
  EXPECT_FALSE(table.Find(0x1000, Bytes("Order")).is_new);
  EXPECT_EQ(table.Find(0x2000, Bytes("Order")).number, 2u);
  // The first one was unloaded, and its place is another's.
  EXPECT_EQ(table.Find(0x1000, Bytes("Other")).number, 3u);
}

TEST(TypeTableTest, WithoutANameItIsTheLatestOfItsClass) {
  TypeTable table;
  EXPECT_EQ(table.Find(0x1000, {}).number, 0u);
  table.Find(0x1000, Bytes("Order"));
  EXPECT_EQ(table.Find(0x1000, {}).number, 1u);
  table.Find(0x1000, Bytes("Other"));
  EXPECT_EQ(table.Find(0x1000, {}).number, 2u);
  EXPECT_FALSE(table.Find(0x1000, {}).is_new);
}

}  // namespace
}  // namespace cairn::collector
