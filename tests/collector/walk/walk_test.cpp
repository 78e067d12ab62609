// Heaps laid by hand, walked, decoded and compared object by object.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collector/walk/heap_builder.h"
#include "tests/collector/walk/walked_heap.h"

namespace cairn::collector {
namespace {

using stream::Generation;
using testing::ElementsAre;
using testing::ElementsAreArray;

// Every test runs on both layouts.
class Walk : public testing::TestWithParam<unsigned> {
 protected:
  LayoutPolicy layout_ = GetParam() == 8 ? X64Layout(10) : X86Layout(10);
  const uint32_t w_ = layout_.pointer_size;
  HeapBuilder heap_{layout_};
  WalkedHeap walked_{layout_};

  void ExpectClean(const std::vector<HeapRange>& ranges) {
    EXPECT_EQ(walked_.Report().problem_count, 0u) << FaultCode(walked_.Report().problems[0].fault);
    for (const HeapRange& range : ranges) EXPECT_EQ(range.walked, range.length);
  }
};

TEST_P(Walk, EmptyHeap) {
  std::vector<HeapRange> ranges;
  EXPECT_EQ(walked_.Walk(ranges).objects, 0u);
  ranges.emplace_back();
  EXPECT_EQ(walked_.Walk(ranges).problem_count, 0u);
  EXPECT_EQ(walked_.Memory().SpoolUsed(), 0u);
}

TEST_P(Walk, FixedObjectsWithOneAndSeveralSeries) {
  // Header, method table and n words of fields.
  const uint64_t plain = heap_.Class(3 * w_);
  const uint64_t node = heap_.Class(4 * w_, {{w_, 2}});
  // Slots at words 1, 3, 4 and 6 of the object.
  const uint64_t wide = heap_.Class(9 * w_, {{w_, 1}, {3 * w_, 2}, {6 * w_, 1}});
  heap_.BeginRange(Generation::kGen2);
  const uint64_t a = heap_.Object(plain), b = heap_.Object(node), c = heap_.Object(wide), d = heap_.Object(node);
  heap_.Set(b, w_, c);
  heap_.Set(b, 2 * w_, b);
  heap_.Set(c, w_, d);
  heap_.Set(c, 2 * w_, 0x11111111);  // no slot
  heap_.Set(c, 4 * w_, a);
  heap_.Set(c, 6 * w_, b);
  std::vector<HeapRange> ranges = {heap_.EndRange()};

  const WalkReport& report = walked_.Walk(ranges);

  ExpectClean(ranges);
  EXPECT_THAT(
      walked_.Objects(ranges),
      ElementsAre(WalkedObject{0, a, plain, 3 * w_, 0, {}}, WalkedObject{0, b, node, 4 * w_, 0, {c, b}},
                  WalkedObject{0, c, wide, 9 * w_, 0, {d, 0, a, b}}, WalkedObject{0, d, node, 4 * w_, 0, {0, 0}}));
  EXPECT_EQ(report.objects, 4u);
  EXPECT_EQ(report.edges, 5u);
  EXPECT_EQ(report.bytes, 20 * w_);  // 3 + 4 + 9 + 4 words
  EXPECT_EQ(report.chunks, 1u);
  EXPECT_EQ(walked_.TypeOf(node)->objects, 2u);
  EXPECT_EQ(walked_.TypeOf(node)->bytes, 8 * w_);
  EXPECT_EQ(walked_.TypeOf(node)->exemplar, b);
}

TEST_P(Walk, StringsAreRoundedUpAndTheSmallestIsUnderTheMinimum) {
  const uint64_t string = heap_.String();
  heap_.BeginRange(Generation::kGen0);
  const uint64_t empty = heap_.Object(string, 0), one = heap_.Object(string, 1), five = heap_.Object(string, 5);
  std::vector<HeapRange> ranges = {heap_.EndRange()};

  walked_.Walk(ranges);

  ExpectClean(ranges);
  // x64: 22, 24 and 32 bytes, in steps of 8. x86: 14, 16 and 24 bytes, in steps of 4.
  const uint64_t small = w_ == 8 ? 24 : 16, last = w_ == 8 ? 32 : 24;
  EXPECT_THAT(walked_.Objects(ranges),
              ElementsAre(WalkedObject{0, empty, string, small, 0, {}}, WalkedObject{0, one, string, small, 1, {}},
                          WalkedObject{0, five, string, last, 5, {}}));
  EXPECT_EQ(walked_.TypeOf(string)->base_size, w_ == 8 ? 22u : 14u);
}

TEST_P(Walk, FreeObjectsAreGaps) {
  const uint64_t free = heap_.Free(), plain = heap_.Class(3 * w_);
  heap_.BeginRange(Generation::kGen2);
  heap_.Object(free, 0);
  const uint64_t a = heap_.Object(plain);
  heap_.Object(free, 100);
  heap_.Object(free, 40);
  const uint64_t b = heap_.Object(plain), c = heap_.Object(plain);
  heap_.Object(free, 8);
  std::vector<HeapRange> ranges = {heap_.EndRange()};

  walked_.Walk(ranges);

  ExpectClean(ranges);
  EXPECT_THAT(walked_.Objects(ranges),
              ElementsAre(WalkedObject{0, a, plain, 3 * w_, 0, {}}, WalkedObject{0, b, plain, 3 * w_, 0, {}},
                          WalkedObject{0, c, plain, 3 * w_, 0, {}}));
  EXPECT_EQ(ranges[0].objects, 3u);
  EXPECT_EQ(ranges[0].free_objects, 4u);
  // x64: 24, 24 + 100 → 128, 24 + 40, 24 + 8. x86: 12, 112, 52, 20.
  EXPECT_EQ(ranges[0].free_bytes, w_ == 8 ? 24u + 128 + 64 + 32 : 12u + 112 + 52 + 20);
  EXPECT_EQ(ranges[0].largest_free, w_ == 8 ? 128u : 112u);
  EXPECT_EQ(ranges[0].bytes + ranges[0].free_bytes, ranges[0].length);
  EXPECT_TRUE(walked_.TypeOf(free)->is_free);
  EXPECT_EQ(walked_.TypeOf(free)->objects, 4u);
}

TEST_P(Walk, ByteArraysAreNotFreeObjects) {
  const uint64_t bytes = heap_.PrimitiveArray(1);
  heap_.BeginRange(Generation::kPoh);
  const uint64_t a = heap_.Object(bytes, 3);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  walked_.Walk(ranges);
  ExpectClean(ranges);
  // 3 words and 3 bytes, in steps of 8: x64 27 → 32, x86 15 → 16.
  EXPECT_THAT(walked_.Objects(ranges), ElementsAre(WalkedObject{0, a, bytes, w_ == 8 ? 32u : 16u, 3, {}}));
}

TEST_P(Walk, ReferenceArraysOfOneAndTwoDimensions) {
  const uint64_t array = heap_.ReferenceArray(), matrix = heap_.ReferenceArray(2);
  heap_.BeginRange(Generation::kGen1);
  const uint64_t a = heap_.Object(array, 3), none = heap_.Object(array, 0), m = heap_.Object(matrix, 2);
  heap_.Set(a, heap_.Elements(), m);
  heap_.Set(a, heap_.Elements() + 2 * w_, a);
  // Lengths and lower bounds look like anything but references.
  heap_.Poke(m + 2 * w_, 0x0000000100000002);
  heap_.Set(m, heap_.Elements(2) + w_, none);
  std::vector<HeapRange> ranges = {heap_.EndRange()};

  walked_.Walk(ranges);

  ExpectClean(ranges);
  // The matrix: 3 words, 2 × 8 bytes of bounds, 2 slots.
  EXPECT_THAT(walked_.Objects(ranges),
              ElementsAre(WalkedObject{0, a, array, 6 * w_, 3, {m, 0, a}}, WalkedObject{0, none, array, 3 * w_, 0, {}},
                          WalkedObject{0, m, matrix, 5 * w_ + 16, 2, {0, none}}));
  EXPECT_EQ(walked_.TypeOf(array)->elements_offset, 2 * w_);
  EXPECT_EQ(walked_.TypeOf(matrix)->elements_offset, 2 * w_ + 16);
}

TEST_P(Walk, StructArraysRepeatTheirItems) {
  // struct { word; ref; ref; word; ref }: the first reference lies one word in, the last item wraps.
  const uint64_t array = heap_.StructArray(5 * w_, w_, {{2, w_}, {1, w_}});
  heap_.BeginRange(Generation::kGen2);
  const uint64_t a = heap_.Object(array, 2);
  for (uint32_t word = 0; word < 10; ++word) heap_.Set(a, heap_.Elements() + word * w_, 0x1000 + 8 * word);
  std::vector<HeapRange> ranges = {heap_.EndRange()};

  walked_.Walk(ranges);

  ExpectClean(ranges);
  // Words 1, 2, 4 of the first component, 6, 7, 9 of the second.
  EXPECT_THAT(walked_.Objects(ranges),
              ElementsAre(WalkedObject{0, a, array, 13 * w_, 2, {0x1008, 0x1010, 0x1020, 0x1030, 0x1038, 0x1048}}));
  const WalkedType& type = *walked_.TypeOf(array);
  EXPECT_THAT(std::vector<uint32_t>(type.slots, type.slots + type.element_slot_count), ElementsAre(w_, 2 * w_, 4 * w_));
  EXPECT_EQ(type.elements_offset, 2 * w_);
}

TEST_P(Walk, ArraysOfStructsThatAreReferencesOnly) {
  // struct { ref; ref }: one normal series, components of two words.
  const uint32_t base = 3 * w_;
  const uint64_t array = heap_.Type(0x810A0000 | 2 * w_, base, {1, 2 * w_, -int64_t{base}});
  heap_.BeginRange(Generation::kGen2);
  const uint64_t a = heap_.Object(array, 2);
  heap_.Set(a, heap_.Elements() + w_, a);
  heap_.Set(a, heap_.Elements() + 2 * w_, a + 8);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  walked_.Walk(ranges);
  ExpectClean(ranges);
  EXPECT_THAT(walked_.Objects(ranges), ElementsAre(WalkedObject{0, a, array, 7 * w_, 2, {0, a, a + 8, 0}}));
  EXPECT_EQ(walked_.TypeOf(array)->element_slot_count, 2u);
}

TEST_P(Walk, UnalignedTargetsSurvive) {
  const uint64_t node = heap_.Class(3 * w_, {{w_, 1}});
  heap_.BeginRange(Generation::kGen2);
  const uint64_t a = heap_.Object(node);
  heap_.Set(a, w_, 0x12345677);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  walked_.Walk(ranges);
  EXPECT_THAT(walked_.Objects(ranges), ElementsAre(WalkedObject{0, a, node, 3 * w_, 0, {0x12345677}}));
}

TEST_P(Walk, MarkBitsOfTheMethodTableWordAreIgnored) {
  const uint64_t plain = heap_.Class(3 * w_);
  heap_.BeginRange(Generation::kGen2);
  const uint64_t a = heap_.Object(plain);
  heap_.Poke(a, plain | 1);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  walked_.Walk(ranges);
  ExpectClean(ranges);
  EXPECT_EQ(walked_.Walker().Types().size(), 1u);
}

TEST_P(Walk, SeveralRangesShareTypesAndKeepTheirCounts) {
  const uint64_t node = heap_.Class(3 * w_, {{w_, 1}}), free = heap_.Free();
  heap_.BeginRange(Generation::kGen0);
  const uint64_t a = heap_.Object(node);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  heap_.BeginRange(Generation::kGen1);
  heap_.Object(free, 8);
  ranges.push_back(heap_.EndRange());
  heap_.BeginRange(Generation::kLoh);
  const uint64_t b = heap_.Object(node);
  heap_.Set(b, w_, a);
  ranges.push_back(heap_.EndRange());

  const WalkReport& report = walked_.Walk(ranges, 5);

  ExpectClean(ranges);
  // In the large heap of x86 the step is 8: 12 → 16.
  const uint64_t large = w_ == 8 ? 24 : 16;
  EXPECT_THAT(walked_.Objects(ranges, 5),
              ElementsAre(WalkedObject{5, a, node, 3 * w_, 0, {0}}, WalkedObject{7, b, node, large, 0, {a}}));
  EXPECT_EQ(ranges[0].edges, 0u);
  EXPECT_EQ(ranges[1].free_objects, 1u);
  EXPECT_EQ(ranges[2].edges, 1u);
  EXPECT_EQ(report.chunks, 2u);
  EXPECT_EQ(walked_.TypeOf(node)->bytes, 3 * w_ + large);
}

TEST_P(Walk, RepeatedCallsGoOnInTheSameSpool) {
  const uint64_t node = heap_.Class(3 * w_, {{w_, 1}});
  std::vector<HeapRange> ranges;
  std::vector<uint64_t> objects;
  for (int i = 0; i < 2; ++i) {
    heap_.BeginRange(Generation::kGen2);
    objects.push_back(heap_.Object(node));
    // Alike in both, so that a predictor left over from the first call would show.
    heap_.Set(objects.back(), w_, objects[0]);
    ranges.push_back(heap_.EndRange());
  }
  walked_.Walker().Walk(std::span(ranges).subspan(0, 1), 0);
  walked_.Walker().Walk(std::span(ranges).subspan(1, 1), 1);
  EXPECT_THAT(walked_.Objects(ranges), ElementsAre(WalkedObject{0, objects[0], node, 3 * w_, 0, {objects[0]}},
                                                   WalkedObject{1, objects[1], node, 3 * w_, 0, {objects[0]}}));
}

TEST_P(Walk, ChunksCloseAtTheirObjectLimit) {
  const uint64_t plain = heap_.Class(3 * w_);
  heap_.BeginRange(Generation::kGen2);
  for (uint32_t i = 0; i < 2 * stream::kMaxChunkObjects + 1; ++i) heap_.Object(plain);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  EXPECT_EQ(walked_.Walk(ranges).chunks, 3u);
  const std::vector<WalkedObject> objects = walked_.Objects(ranges);
  ASSERT_EQ(objects.size(), 131073u);
  EXPECT_EQ(objects.back().address, ranges[0].start + 131072 * 3 * w_);
}

TEST_P(Walk, AnArrayGoesOnOverSeveralChunks) {
  const uint64_t array = heap_.ReferenceArray(), plain = heap_.Class(3 * w_);
  constexpr uint32_t kLength = 2 * stream::kMaxChunkSlots + 5;
  heap_.BeginRange(Generation::kLoh);
  const uint64_t before = heap_.Object(plain), a = heap_.Object(array, kLength), after = heap_.Object(plain);
  std::vector<uint64_t> targets(kLength);
  for (uint32_t i = 0; i < kLength; ++i) {
    targets[i] = i % 3 == 0 ? 0 : i % 3 == 1 ? before : after;
    heap_.Set(a, heap_.Elements() + uint64_t{i} * w_, targets[i]);
  }
  std::vector<HeapRange> ranges = {heap_.EndRange()};

  EXPECT_EQ(walked_.Walk(ranges).chunks, 3u);

  ExpectClean(ranges);
  const std::vector<WalkedObject> objects = walked_.Objects(ranges);
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[1].targets, targets);
  EXPECT_EQ(objects[2].address, after);
  // Two of three slots; 524,293 = 3 × 174,764 + 1, and the odd one is null.
  EXPECT_EQ(ranges[0].edges, 2u * 174764);
}

TEST_P(Walk, AnArrayThatEndsWithItsChunk) {
  const uint64_t array = heap_.ReferenceArray();
  heap_.BeginRange(Generation::kLoh);
  const uint64_t a = heap_.Object(array, stream::kMaxChunkSlots), b = heap_.Object(array, 1);
  heap_.Set(a, heap_.Elements() + uint64_t{stream::kMaxChunkSlots - 1} * w_, b);
  heap_.Set(b, heap_.Elements(), a);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  EXPECT_EQ(walked_.Walk(ranges).chunks, 2u);
  const std::vector<WalkedObject> objects = walked_.Objects(ranges);
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0].targets.back(), b);
  EXPECT_THAT(objects[1].targets, ElementsAre(a));
}

TEST_P(Walk, StructArraysGoOnInTheMiddleOfAComponent) {
  // 3 slots per component: 262,144 is no multiple of 3.
  const uint64_t array = heap_.StructArray(4 * w_, 0, {{3, w_}});
  constexpr uint32_t kLength = 100000;
  heap_.BeginRange(Generation::kGen2);
  const uint64_t a = heap_.Object(array, kLength);
  std::vector<uint64_t> targets;
  for (uint32_t i = 0; i < kLength; ++i) {
    for (uint32_t j = 0; j < 3; ++j) {
      targets.push_back(a + 8 * ((i + j) % 7));
      heap_.Set(a, heap_.Elements() + (uint64_t{i} * 4 + j) * w_, targets.back());
    }
  }
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  EXPECT_EQ(walked_.Walk(ranges).chunks, 2u);
  EXPECT_THAT(walked_.Objects(ranges), ElementsAre(WalkedObject{0, a, array, (3 + 400000) * w_, kLength, targets}));
}

TEST_P(Walk, ASparseArrayCostsNextToNothing) {
  const uint64_t array = heap_.ReferenceArray();
  constexpr uint32_t kLength = 3000000;
  heap_.BeginRange(Generation::kLoh);
  const uint64_t a = heap_.Object(array, kLength);
  heap_.Set(a, heap_.Elements() + uint64_t{1234567} * w_, a);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  walked_.Walk(ranges);
  ExpectClean(ranges);
  EXPECT_EQ(ranges[0].edges, 1u);
  // 12 chunks of 262,144 slots: 12 blocks of 72 bytes and a few tokens each.
  EXPECT_EQ(walked_.Report().chunks, 12u);
  EXPECT_LT(walked_.Memory().SpoolUsed(), 1200u);
  const std::vector<WalkedObject> objects = walked_.Objects(ranges);
  ASSERT_EQ(objects.size(), 1u);
  ASSERT_EQ(objects[0].targets.size(), kLength);
  EXPECT_EQ(objects[0].targets[1234567], a);
}

TEST_P(Walk, AHugeFixedObjectStaysInOneChunk) {
  const uint32_t slots = stream::kMaxFixedSlots;
  const uint64_t huge = heap_.Class((2 + slots) * w_, {{w_, slots}}), array = heap_.ReferenceArray();
  heap_.BeginRange(Generation::kLoh);
  const uint64_t a = heap_.Object(array, stream::kMaxChunkSlots - 1), b = heap_.Object(huge);
  heap_.Set(b, w_ * slots, a);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  EXPECT_EQ(walked_.Walk(ranges).chunks, 1u);
  ExpectClean(ranges);
  const std::vector<WalkedObject> objects = walked_.Objects(ranges);
  ASSERT_EQ(objects.size(), 2u);
  ASSERT_EQ(objects[1].targets.size(), slots);
  EXPECT_EQ(objects[1].targets.back(), a);
}

TEST_P(Walk, TwentyThousandTypes) {
  heap_.BeginRange(Generation::kGen2);
  std::vector<WalkedObject> expected;
  for (uint32_t i = 0; i < 20000; ++i) {
    const uint32_t words = 3 + i % 40;
    const uint64_t type = heap_.Class(words * w_, {{w_, 1 + i % (words - 2)}});
    const uint64_t object = heap_.Object(type);
    heap_.Set(object, w_, object);
    expected.push_back({0, object, type, words * w_, 0, std::vector<uint64_t>(1 + i % (words - 2))});
    expected.back().targets[0] = object;
  }
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  walked_.Walk(ranges);
  ExpectClean(ranges);
  EXPECT_EQ(walked_.Walker().Types().size(), 20000u);
  EXPECT_EQ(walked_.Objects(ranges), expected);
}

TEST_P(Walk, CollectibleTypesAreMarked) {
  const uint64_t fresh = heap_.Class(3 * w_, {}, 0x00200000), plain = heap_.Class(3 * w_);
  heap_.BeginRange(Generation::kGen2);
  heap_.Object(fresh);
  heap_.Object(plain);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  walked_.Walk(ranges);
  EXPECT_TRUE(walked_.TypeOf(fresh)->collectible);
  EXPECT_FALSE(walked_.TypeOf(plain)->collectible);
}

TEST(WalkVersions, TheCollectibleFlagMovedInDotNet9) {
  const LayoutPolicy layout = X64Layout(8);
  HeapBuilder heap(layout);
  const uint64_t old = heap.Class(24, {}, 0x10000000), other = heap.Class(24, {}, 0x00200000);
  heap.BeginRange(Generation::kGen2);
  heap.Object(old);
  heap.Object(other);
  std::vector<HeapRange> ranges = {heap.EndRange()};
  WalkedHeap walked(layout);
  walked.Walk(ranges);
  EXPECT_TRUE(walked.TypeOf(old)->collectible);
  EXPECT_FALSE(walked.TypeOf(other)->collectible);
}

TEST(WalkFree, AKnownFreeMethodTableWinsOverTheShape) {
  LayoutPolicy layout = X64Layout(10);
  HeapBuilder heap(layout);
  const uint64_t known = heap.Free(), alike = heap.Free();
  layout.free_method_table = known;
  heap.BeginRange(Generation::kGen2);
  heap.Object(known, 8);
  const uint64_t object = heap.Object(alike, 8);
  std::vector<HeapRange> ranges = {heap.EndRange()};
  WalkedHeap walked(layout);
  walked.Walk(ranges);
  EXPECT_THAT(walked.Objects(ranges), ElementsAre(WalkedObject{0, object, alike, 32, 8, {}}));
}

INSTANTIATE_TEST_SUITE_P(PointerSizes, Walk, testing::Values(4u, 8u),
                         [](const auto& info) { return info.param == 8 ? "x64" : "x86"; });

}  // namespace
}  // namespace cairn::collector
