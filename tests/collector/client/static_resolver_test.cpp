#include "collector/client/static_resolver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::client {
namespace {

using ::testing::ElementsAre;

snapshot::Type ArrayOfPairs() {  // { ref at 0, int at 8, ref at 16 } of 24 bytes each
  snapshot::Type type;
  type.layout = {24, 24, 0, 2, false};
  type.element_slots = {0, 16};
  type.elements_offset = 16;
  return type;
}

snapshot::Type Node() {
  snapshot::Type type;
  type.layout = {32, 0, 2, 0, false};
  type.fixed_slots = {8, 24};
  return type;
}

TEST(SlotNumber, CountsThroughElementsAndFields) {
  const auto pairs = ArrayOfPairs();
  EXPECT_EQ(SlotNumber(pairs, 16), 0);
  EXPECT_EQ(SlotNumber(pairs, 32), 1);       // 16 + 16
  EXPECT_EQ(SlotNumber(pairs, 16 + 48), 4);  // element 2, its first
  EXPECT_EQ(SlotNumber(pairs, 24), -1);      // the int
  EXPECT_EQ(SlotNumber(pairs, 8), -1);       // the length
  EXPECT_EQ(SlotNumber(Node(), 24), 1);
  EXPECT_EQ(SlotNumber(Node(), 16), -1);
}

TEST(SlotNumber, IsUnknownForTypesWalkedThroughTheApi) {
  snapshot::Type type;
  type.layout.explicit_slots = true;
  EXPECT_EQ(SlotNumber(type, 8), -1);
}

struct Laid {
  stream::ChunkHeader header;
  stream::DecodedChunk chunk;
  std::vector<snapshot::Type> types = {Node(), ArrayOfPairs()};
};

// One Node at 0x1000 → (0xA0, null), and an array at 0x1020 of which 2 of 4 slots are in this chunk.
Laid FirstChunk() {
  Laid laid;
  laid.header.first_address = 0x1000;
  laid.header.end_address = 0x1020 + 24 + 48;
  laid.header.object_count = 2;
  laid.chunk.types = {0, 1};
  laid.chunk.addresses = {0x1000, 0x1020};
  laid.chunk.first_slot = {0, 2, 4};
  laid.chunk.targets = {0xA0, 0, 0xB0, 0xB8};
  return laid;
}

TEST(StaticResolver, FindsSlotsAndLeavesNullOnesOut) {
  StaticResolver resolver;
  resolver.Add({{"N.null", 0x1018}, {"N.a", 0x1008}, {"A.b", 0x1030}});
  const Laid laid = FirstChunk();
  resolver.Look(laid.header, laid.chunk, laid.types);
  const auto roots = resolver.Roots();
  ASSERT_EQ(roots.size(), 2u);
  EXPECT_EQ(roots[0].name, "N.a");
  EXPECT_EQ(roots[0].object, 0xA0u);
  EXPECT_EQ(roots[0].source, 0x1008u);
  EXPECT_EQ(roots[0].kind, snapshot::RootKind::kStatic);
  EXPECT_EQ(roots[1].object, 0xB0u);
  EXPECT_TRUE(resolver.Unresolved().empty());
}

TEST(StaticResolver, FollowsAnArrayIntoItsNextChunk) {
  StaticResolver resolver;
  resolver.Add({{"A.late", 0x1020 + 16 + 24 + 16}});  // element 1, second slot: number 3
  Laid laid = FirstChunk();
  resolver.Look(laid.header, laid.chunk, laid.types);
  EXPECT_THAT(resolver.Unresolved(), ElementsAre("A.late"));
  Laid next;
  next.header.continued_object = 0x1020;
  next.header.continued_slot = 2;
  next.header.continued_slots = 2;
  next.header.continued_type = 1;
  next.chunk.first_slot = {2};
  next.chunk.targets = {0xC0, 0xC8};
  resolver.Look(next.header, next.chunk, next.types);
  ASSERT_EQ(resolver.Roots().size(), 1u);
  EXPECT_EQ(resolver.Roots()[0].object, 0xC8u);
}

TEST(StaticResolver, SaysWhatLiesInNoObject) {
  StaticResolver resolver;
  resolver.Add({{"X.before", 0x0FF8}, {"X.no_slot", 0x1010}, {"X.after", 0x9000}});
  const Laid laid = FirstChunk();
  resolver.Look(laid.header, laid.chunk, laid.types);
  EXPECT_THAT(resolver.Unresolved(), ElementsAre("X.before", "X.no_slot", "X.after"));
  EXPECT_TRUE(resolver.Roots().empty());
}

}  // namespace
}  // namespace cairn::client
