#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "tests/snapshot-format/stream/chunk_cases.h"

namespace cairn::stream {
namespace {

constexpr uint32_t kNode = 0, kReferences = 1, kPairs = 2, kBytes = 3, kExplicit = 4, kWide = 5, kPlain = 6;

// One type of each shape, on 64 or on 32 bit.
Heap EmptyHeap(bool wide_pointers = true) {
  Heap heap;
  heap.unit_shift = wide_pointers ? 3 : 2;
  heap.alignment = wide_pointers ? 8 : 4;
  const uint64_t pointer = wide_pointers ? 8 : 4;
  const auto component = static_cast<uint32_t>(pointer);
  heap.types = {
      {.base_size = 2 * pointer + 3 * pointer, .fixed_slots = 3},
      {.base_size = 3 * pointer, .component_size = component, .element_slots = 1},
      {.base_size = 3 * pointer, .component_size = 3 * component, .element_slots = 2},
      {.base_size = 3 * pointer, .component_size = 1},
      {.component_size = 1, .explicit_slots = true},
      {.base_size = 2 * pointer + 200 * pointer, .fixed_slots = 200},  // more slots than predictor cells
      {.base_size = 3 * pointer},
  };
  return heap;
}

TEST(ChunkRoundTripTest, NoObjectsMakeNoChunk) { EXPECT_TRUE(EncodeHeap(EmptyHeap()).empty()); }

TEST(ChunkRoundTripTest, HasTheStatedBytes) {
  Heap heap = EmptyHeap();
  // base 40 bytes; targets: itself, the next object, null.
  Append(heap, kNode).targets = {{0, 0x10000}, {1, 0x10028}};
  Append(heap, kBytes, 5, 0, 16);  // behind a gap of 2 units
  const std::vector<EncodedChunk> chunks = EncodeHeap(heap);
  ASSERT_EQ(chunks.size(), 1u);
  const EncodedChunk& chunk = chunks[0];
  EXPECT_EQ(chunk.column[0], (std::vector<uint8_t>{0, 3}));
  EXPECT_EQ(chunk.column[1], (std::vector<uint8_t>{5}));
  EXPECT_EQ(chunk.column[2], (std::vector<uint8_t>{1, 2}));
  // To itself: delta 0, tag 1. Next: delta 5 units, zigzag 10, 10 × 4 + 1 = 41. One null: 1 × 4 + 0.
  EXPECT_EQ(chunk.column[3], (std::vector<uint8_t>{1, 41, 4}));
  EXPECT_EQ(chunk.header.first_address, 0x10000u);
  EXPECT_EQ(chunk.header.end_address, 0x10000u + 40 + 16 + 32);  // 24 + 5 aligned to 32
  EXPECT_EQ(chunk.header.slot_count, 3u);
  EXPECT_EQ(RoundTrip(heap), "");
}

TEST(ChunkRoundTripTest, PredictsFromTheLastTargetOfTheSameSlot) {
  Heap heap = EmptyHeap();
  for (int i = 0; i < 3; ++i) Append(heap, kNode).targets = {{1, 0x7F0000000000}};
  const std::vector<EncodedChunk> chunks = EncodeHeap(heap);
  // From the second object on slot 1 costs one byte, 0 × 4 + 2; each object has a null before and after,
  // and the nulls between two objects are one run of 2.
  const std::vector<uint8_t>& column = chunks[0].column[3];
  EXPECT_EQ(std::vector<uint8_t>(column.end() - 4, column.end()), (std::vector<uint8_t>{2, 8, 2, 4}));
  EXPECT_EQ(RoundTrip(heap), "");
}

TEST(ChunkRoundTripTest, RunOfNullsGoesOverObjects) {
  Heap heap = EmptyHeap();
  for (int i = 0; i < 1000; ++i) Append(heap, kNode);
  Append(heap, kReferences, 100000);
  Append(heap, kNode).targets = {{2, 0x10000}};
  const std::vector<EncodedChunk> chunks = EncodeHeap(heap);
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_LE(chunks[0].column[3].size(), 8u);  // one run of 3000 + 100000 + 2 and one reference
  EXPECT_EQ(RoundTrip(heap), "");
}

TEST(ChunkRoundTripTest, EverySlotOfABigObjectFindsItsCell) {
  Heap heap = EmptyHeap();
  for (int i = 0; i < 4; ++i) {
    PlacedObject& object = Append(heap, kWide);
    for (uint64_t slot = 0; slot < 200; slot += 1 + slot % 3) object.targets.emplace_back(slot, 0x20000 + slot * 64);
  }
  EXPECT_EQ(RoundTrip(heap), "");
}

TEST(ChunkRoundTripTest, KeepsUnalignedTargetsAndTheFarthestOnes) {
  Heap heap = EmptyHeap();
  Append(heap, kReferences, 6).targets = {{0, 1},       {1, 0xFFFFFFFFFFFFFFFF}, {2, 0xFFFFFFFFFFFFFFF8}, {3, 8},
                                          {4, 0x10003}, {5, 0x8000000000000000}};
  EXPECT_EQ(RoundTrip(heap), "");
}

TEST(ChunkRoundTripTest, KeepsTheHighestAddresses) {
  Heap heap = EmptyHeap();
  PlacedObject& object = Append(heap, kNode);
  object.address = 0xFFFFFFFFFFFFFF00;
  object.end = object.address + 40;
  object.targets = {{0, 8}, {2, object.address}};
  Append(heap, kNode).targets = {{1, 0x10000}};
  EXPECT_EQ(RoundTrip(heap), "");
}

TEST(ChunkRoundTripTest, HugeArrayGoesOverSeveralChunks) {
  Heap heap = EmptyHeap();
  Append(heap, kNode);
  // 700,000 slots: 262,141 beside the node's 3, then 262,144, then the rest.
  PlacedObject& array = Append(heap, kReferences, 700000);
  for (uint64_t slot = 0; slot < 700000; slot += 997) array.targets.emplace_back(slot, 0x10000 + slot * 8);
  array.targets.emplace_back(699999, 0x10000);
  Append(heap, kNode).targets = {{0, 0x10000}};
  const std::vector<EncodedChunk> chunks = EncodeHeap(heap);
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_EQ(chunks[1].header.object_count, 0u);
  EXPECT_EQ(chunks[1].header.continued_slot, 262141u);
  EXPECT_EQ(chunks[2].header.continued_slots, 700000u - 262141 - 262144);
  EXPECT_EQ(chunks[2].header.object_count, 1u);
  EXPECT_EQ(RoundTrip(heap), "");
}

TEST(ChunkRoundTripTest, ArrayOfStructsIsCutWithinAComponent) {
  Heap heap = EmptyHeap();
  Append(heap, kNode);  // 3 slots, so that the cut falls on an odd slot
  PlacedObject& array = Append(heap, kPairs, 200000);
  for (uint64_t slot = 0; slot < 400000; ++slot) {
    if (slot % 5 != 0) array.targets.emplace_back(slot, 0x10000 + (slot * 2654435761u % 1000003) * 8);
  }
  const std::vector<EncodedChunk> chunks = EncodeHeap(heap);
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[1].header.continued_slot % 2, 1u);
  EXPECT_EQ(RoundTrip(heap), "");
}

TEST(ChunkRoundTripTest, ChunkClosesAtItsLimitOfObjects) {
  Heap heap = EmptyHeap();
  for (uint32_t i = 0; i <= kMaxChunkObjects; ++i) Append(heap, kPlain);
  const std::vector<EncodedChunk> chunks = EncodeHeap(heap);
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[0].header.object_count, kMaxChunkObjects);
  EXPECT_EQ(chunks[1].header.object_count, 1u);
  EXPECT_EQ(RoundTrip(heap), "");
}

TEST(ChunkRoundTripTest, ObjectOfMoreThan4GiBKeepsItsSize) {
  Heap heap = EmptyHeap();
  Append(heap, kBytes, 5'000'000'000);
  Append(heap, kNode).targets = {{0, 0x10000}};
  std::vector<PlacedObject> objects;
  EXPECT_EQ(DecodeHeap(heap, EncodeHeap(heap), objects), "");
  EXPECT_EQ(objects[0].end - objects[0].address, 5'000'000'024u);  // 24 + 5 × 10⁹, aligned already
  EXPECT_EQ(objects[1].address, 0x10000u + 5'000'000'024u);
}

TEST(ChunkRoundTripTest, ExplicitSlotsGoOverSeveralChunks) {
  Heap heap = EmptyHeap();
  PlacedObject& object = Append(heap, kExplicit, 2'400'000, 300000);
  for (uint64_t slot = 0; slot < 300000; slot += 7) object.targets.emplace_back(slot, 0x10000 + slot * 16);
  Append(heap, kExplicit, 24, 0);
  Append(heap, kExplicit, 32, 2).targets = {{1, 0x10000}};
  EXPECT_EQ(EncodeHeap(heap).size(), 2u);
  EXPECT_EQ(RoundTrip(heap), "");
}

// ---- random heaps ----

rc::Gen<uint64_t> AnyTarget() {
  return rc::gen::weightedOneOf<uint64_t>({
      {4, rc::gen::map(rc::gen::inRange<uint64_t>(0, 4096), [](uint64_t unit) { return 0x10000 + unit * 8; })},
      {1, rc::gen::arbitrary<uint64_t>()},
      {3, rc::gen::just<uint64_t>(0)},
  });
}

SlotTargets AnyTargets(uint64_t slots) {
  SlotTargets targets;
  for (uint64_t slot = 0; slot < slots; ++slot) {
    if (const uint64_t target = *AnyTarget(); target != 0) targets.emplace_back(slot, target);
  }
  return targets;
}

Heap AnyHeap(bool wide_pointers) {
  Heap heap = EmptyHeap(wide_pointers);
  const auto objects = *rc::gen::inRange(0, 40);
  for (int i = 0; i < objects; ++i) {
    const uint32_t type = *rc::gen::inRange<uint32_t>(0, 7);
    const bool is_explicit = heap.types[type].explicit_slots;
    const uint64_t length = heap.types[type].HasLength() ? *rc::gen::inRange<uint64_t>(is_explicit ? 1 : 0, 20) : 0;
    const uint64_t slots = is_explicit ? *rc::gen::inRange<uint64_t>(0, 100) : 0;
    const uint64_t gap = *rc::gen::inRange<uint64_t>(0, 3) * heap.alignment;
    PlacedObject& object = Append(heap, type, length, slots, i == 0 ? 0 : gap);
    object.targets = AnyTargets(std::min<uint64_t>(object.slots, 30));
  }
  return heap;
}

TEST(ChunkRoundTripTest, RandomHeapsComeBack) {
  EXPECT_TRUE(rc::check("a heap of a 64-bit process", [] { RC_ASSERT(RoundTrip(AnyHeap(true)) == ""); }));
  EXPECT_TRUE(rc::check("a heap of a 32-bit process", [] { RC_ASSERT(RoundTrip(AnyHeap(false)) == ""); }));
}

TEST(ChunkRoundTripTest, RandomArraysOverSeveralChunksComeBack) {
  EXPECT_TRUE(rc::check("two sparse arrays", [] {
    Heap heap = EmptyHeap();
    for (const uint32_t type : {kReferences, kPairs}) {
      PlacedObject& array = Append(heap, type, *rc::gen::inRange<uint64_t>(100000, 400000));
      const auto slots = *rc::gen::container<std::vector<uint64_t>>(20, rc::gen::inRange<uint64_t>(0, array.slots));
      for (const uint64_t slot : std::set<uint64_t>(slots.begin(), slots.end()))
        array.targets.emplace_back(slot, 0x10000 + slot * 8);
    }
    RC_ASSERT(RoundTrip(heap) == "");
  }));
}

}  // namespace
}  // namespace cairn::stream
