#include "collector/client/static_resolver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::client {
namespace {

using snapshot::RootKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

snapshot::Type References() {  // an object[]
  snapshot::Type type;
  type.layout = {24, 8, 0, 1, false};
  type.element_slots = {0};
  type.elements_offset = 16;
  return type;
}

constexpr uint64_t kArray = 0x2000;
constexpr uint64_t SlotAt(uint64_t number) { return kArray + 16 + 8 * number; }

// A Node at 0x1000 → (0xA0, null), a Node at 0x1020 → (0xB0, 0xB8), and an object[4] at 0x2000 of which the first
// three slots are in this chunk: 0xC0, null, 0xC8.
struct Laid {
  stream::ChunkHeader header;
  stream::DecodedChunk chunk;
  std::vector<snapshot::Type> types = {Node(), References()};
};
Laid FirstChunk() {
  Laid laid;
  laid.header.first_address = 0x1000;
  laid.header.end_address = kArray + 24 + 32;
  laid.header.object_count = 3;
  laid.chunk.types = {0, 0, 1};
  laid.chunk.addresses = {0x1000, 0x1020, kArray};
  laid.chunk.sizes = {32, 32, 24 + 32};
  laid.chunk.first_slot = {0, 2, 4, 7};
  laid.chunk.targets = {0xA0, 0, 0xB0, 0xB8, 0xC0, 0, 0xC8};
  return laid;
}

Laid SecondChunk() {  // the array's last slot
  Laid laid;
  laid.header.continued_object = kArray;
  laid.header.continued_slot = 3;
  laid.header.continued_slots = 1;
  laid.header.continued_type = 1;
  laid.chunk.first_slot = {1};
  laid.chunk.targets = {0xD0};
  return laid;
}

snapshot::Root Handle(uint64_t object, RootKind kind = RootKind::kHandlePinned) {
  snapshot::Root root;
  root.kind = kind;
  root.object = object;
  root.source = 0x5000;
  return root;
}

class StaticResolverTest : public ::testing::Test {
 protected:
  void Look() {
    for (const Laid& laid : {FirstChunk(), SecondChunk()}) resolver.Look(laid.header, laid.chunk, laid.types);
  }
  // Adds to `roots`, and tells those that are new: "kind name object".
  std::vector<std::string> Added() {
    const size_t before = roots.size();
    resolver.AddTo(roots);
    std::vector<std::string> lines;
    for (size_t i = before; i < roots.size(); ++i)
      lines.push_back(std::string(snapshot::RootKindName(roots[i].kind)) + " " + roots[i].name + " " +
                      std::to_string(roots[i].object));
    return lines;
  }

  StaticResolver resolver;
  std::vector<snapshot::Root> roots = {Handle(kArray)};
};

TEST_F(StaticResolverTest, MakesEachSlotARootAndNotTheHandleOfTheirArray) {
  resolver.Add({{"N.null", SlotAt(1)}, {"N.a", SlotAt(0)}});
  Look();
  EXPECT_THAT(Added(), ElementsAre("static N.a 192", "static (unknown) 200", "static (unknown) 208"));
  EXPECT_EQ(roots[0].kind, RootKind::kOther);
  EXPECT_EQ(roots[0].name, kStaticSlots);
  EXPECT_EQ(roots[1].source, SlotAt(0));
  EXPECT_THAT(resolver.Unresolved(), IsEmpty());
}

TEST_F(StaticResolverTest, FollowsAnArrayIntoItsNextChunk) {
  resolver.Add({{"N.late", SlotAt(3)}});
  const Laid first = FirstChunk(), second = SecondChunk();
  resolver.Look(first.header, first.chunk, first.types);
  EXPECT_THAT(resolver.Unresolved(), ElementsAre("N.late"));
  resolver.Look(second.header, second.chunk, second.types);
  EXPECT_THAT(Added(), ElementsAre("static N.late 208", "static (unknown) 192", "static (unknown) 200"));
}

TEST_F(StaticResolverTest, LeavesOutWhatNothingHeldInThePause) {
  resolver.Add({{"N.a", SlotAt(0)}});
  roots = {Handle(0x9990)};
  Look();
  EXPECT_THAT(Added(), IsEmpty());
  EXPECT_EQ(roots[0].kind, RootKind::kHandlePinned);
}

TEST_F(StaticResolverTest, LeavesHandlesAloneThatHoldOtherObjects) {
  resolver.Add({{"N.a", SlotAt(0)}});
  roots = {Handle(kArray, RootKind::kHandleStrong), Handle(0x1000), Handle(kArray, RootKind::kHandleWeak)};
  Look();
  Added();
  EXPECT_EQ(roots[0].kind, RootKind::kOther);
  EXPECT_EQ(roots[1].kind, RootKind::kHandlePinned);
  EXPECT_EQ(roots[2].kind, RootKind::kHandleWeak);
}

// Slot 0 of the array refers to 0xC0. There lies a box of 24 bytes.
class BoxesTest : public StaticResolverTest {
 protected:
  void LookAtBoxes() {
    Laid laid;
    laid.header.first_address = 0xC0;
    laid.header.end_address = 0xC0 + 24;
    laid.header.object_count = 1;
    laid.chunk.types = {0};
    laid.chunk.addresses = {0xC0};
    laid.chunk.sizes = {24};
    laid.chunk.first_slot = {0, 0};
    laid.types = {snapshot::Type()};
    laid.types[0].name = "N.Money";
    resolver.Look(laid.header, laid.chunk, laid.types);
    Look();
  }
  static protocol::Static Boxed(const std::string& name, uint64_t address, const std::string& type) {
    protocol::Static field{name, address};
    field.boxed_type = type;
    return field;
  }
};

TEST_F(BoxesTest, NameTheSlotsThatReferToThem) {
  resolver.Add({{"N.late", SlotAt(3)}, Boxed("N.Price", 0xC8, "N.Money")});
  LookAtBoxes();
  EXPECT_THAT(Added(), ElementsAre("static N.late 208", "static N.Price 192", "static (unknown) 200"));
  EXPECT_THAT(resolver.Unresolved(), IsEmpty());
}

TEST_F(BoxesTest, OfA32BitProcessBegin4BytesBeforeTheirContent) {
  resolver.Add({{"N.late", SlotAt(3)}, Boxed("N.Price", 0xC4, "N.Money")});
  LookAtBoxes();
  EXPECT_THAT(Added(), ElementsAre("static N.late 208", "static N.Price 192", "static (unknown) 200"));
}

TEST_F(BoxesTest, MustBeOfTheirTypeAndBeginWhereTheySay) {
  resolver.Add({{"N.late", SlotAt(3)}, Boxed("N.Price", 0xC8, "N.Node"), Boxed("N.Other", 0xD0, "N.Money")});
  LookAtBoxes();
  EXPECT_THAT(Added(), ElementsAre("static N.late 208", "static (unknown) 192", "static (unknown) 200"));
}

TEST_F(BoxesTest, DoNotMakeAHandlesObjectASlotArray) {
  resolver.Add({Boxed("N.Price", 0xC8, "N.Money")});
  roots = {Handle(0xC0)};
  LookAtBoxes();
  EXPECT_THAT(Added(), IsEmpty());
  EXPECT_EQ(roots[0].kind, RootKind::kHandlePinned);
}

// The array of a thread is known from the pause itself, by an entry without a name.
TEST_F(StaticResolverTest, KnowsTheSlotsOfAThread) {
  roots.clear();
  resolver.Add({{"", SlotAt(0), RootKind::kThreadStatic, 7}, {"P.Value", SlotAt(2), RootKind::kThreadStatic, 7}});
  Look();
  EXPECT_THAT(Added(),
              ElementsAre("thread-static P.Value 200", "thread-static (unknown) 192", "thread-static (unknown) 208"));
  for (const snapshot::Root& root : roots) EXPECT_EQ(root.thread, 7u);
  EXPECT_THAT(resolver.Unresolved(), IsEmpty());
}

// 0x1008 and 0x1010 lie in the Node at 0x1000, 0x1020 is the start of the next, 0x1044 lies in no object.
TEST_F(StaticResolverTest, FindsTheObjectsThatStackAddressesPointInto) {
  roots.clear();
  resolver.Add({{"", 0x1010, RootKind::kLocal, 3},
                {"", 0x1008, RootKind::kLocal, 3},
                {"", 0x1020, RootKind::kLocal, 4},
                {"", 0x1044, RootKind::kLocal, 4},
                {"", SlotAt(2), RootKind::kLocal, 5}});
  Look();
  EXPECT_THAT(Added(), ElementsAre("local  4096", "local  8192"));
  EXPECT_FALSE(roots[0].certain);
  EXPECT_TRUE(roots[0].interior);
  EXPECT_EQ(roots[0].thread, 3u);
  EXPECT_EQ(roots[1].thread, 5u);
}

TEST_F(StaticResolverTest, AddsNoStackRootForWhatIsARootAlready) {
  resolver.Add({{"", SlotAt(1), RootKind::kLocal}, {"", 0x1008, RootKind::kLocal}});
  roots.push_back(Handle(0x1000, RootKind::kHandleWeak));  // which does not hold it
  Look();
  EXPECT_THAT(Added(), ElementsAre("local  4096"));
}

TEST_F(StaticResolverTest, SaysWhatLiesInNoObject) {
  resolver.Add({{"X.before", 0x0FF8}, {"X.no_slot", 0x1010}, {"X.gap", 0x1100}, {"X.after", 0x9000}});
  Look();
  EXPECT_THAT(resolver.Unresolved(), ElementsAre("X.before", "X.no_slot", "X.gap", "X.after"));
  EXPECT_THAT(Added(), IsEmpty());
}

}  // namespace
}  // namespace cairn::client
