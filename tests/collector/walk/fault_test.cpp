// Heaps that are wrong somewhere: the fault names range, object and value; the other ranges go on.

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "tests/collector/walk/heap_builder.h"
#include "tests/collector/walk/walked_heap.h"

namespace cairn::collector {
namespace {

using stream::Generation;

class Fault : public testing::TestWithParam<unsigned> {
 protected:
  LayoutPolicy layout_ = GetParam() == 8 ? X64Layout(10) : X86Layout(10);
  const uint32_t w_ = layout_.pointer_size;
  HeapBuilder heap_{layout_};
  WalkedHeap walked_{layout_};
  uint64_t plain_ = heap_.Class(3 * w_);

  // Three ranges of two objects; the second object of the middle one gets `method_table`. Expects `fault`
  // there, everything before it and the other ranges walked.
  void ExpectFault(uint64_t method_table, WalkFault fault) {
    std::vector<HeapRange> ranges;
    uint64_t bad = 0;
    for (int i = 0; i < 3; ++i) {
      heap_.BeginRange(Generation::kGen2);
      heap_.Object(plain_);
      const uint64_t second = heap_.Object(plain_);
      if (i == 1) heap_.Poke(bad = second, method_table);
      ranges.push_back(heap_.EndRange());
    }
    const WalkReport& report = walked_.Walk(ranges, 10);
    ASSERT_EQ(report.problem_count, 1u);
    const WalkProblem& problem = report.problems[0];
    EXPECT_STREQ(FaultCode(problem.fault), FaultCode(fault));
    EXPECT_EQ(problem.range, 11u);
    EXPECT_EQ(problem.address, bad);
    EXPECT_EQ(problem.value, method_table);
    EXPECT_EQ(ranges[1].walked, 3 * w_);
    EXPECT_EQ(ranges[0].walked, ranges[0].length);
    EXPECT_EQ(ranges[2].walked, ranges[2].length);
    EXPECT_EQ(report.objects, 5u);
    EXPECT_EQ(walked_.Objects(ranges, 10).size(), 5u);
  }

  // `words` is the GCDesc of a class of 4 words.
  void ExpectImplausible(const std::vector<int64_t>& words) {
    ExpectFault(heap_.Type(0x01000000, 4 * w_, words), WalkFault::kImplausibleGcDesc);
  }
  // … of an array of components of two words.
  void ExpectImplausibleArray(const std::vector<int64_t>& words) {
    ExpectFault(heap_.Type(0x810A0000 | 2 * w_, 3 * w_, words), WalkFault::kImplausibleGcDesc);
  }
  int64_t Item(uint64_t pointers, uint64_t skip) { return static_cast<int64_t>(pointers | skip << (w_ * 4)); }
};

TEST_P(Fault, ZeroMethodTable) { ExpectFault(0, WalkFault::kZeroMethodTable); }

TEST_P(Fault, UnmappedMethodTable) {
  void* page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  ExpectFault(reinterpret_cast<uint64_t>(page) + 64, WalkFault::kUnreadableMethodTable);
  munmap(page, 4096);
}

TEST_P(Fault, MethodTableInTheFirstPage) { ExpectFault(0x40, WalkFault::kUnreadableMethodTable); }

TEST_P(Fault, MethodTableThatIsAlmostReadable) {
  // The page before the one that cannot be read: the second word of the head lies beyond.
  auto* pages = static_cast<uint8_t*>(
      mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  mprotect(pages + 4096, 4096, PROT_NONE);
  if (w_ == 4) {
    ExpectFault(reinterpret_cast<uint64_t>(pages) + 4092, WalkFault::kUnreadableMethodTable);
  } else {
    // On 64 bit the head is one aligned word and cannot straddle: its size is what is wrong here.
    ExpectFault(reinterpret_cast<uint64_t>(pages) + 4088, WalkFault::kImplausibleMethodTable);
  }
  munmap(pages, 8192);
}

TEST_P(Fault, ImpossibleBaseSizes) {
  // 2 words; 2 GiB; a component type with a base of 64 KiB.
  for (const auto& [flags, base] : {std::pair<uint32_t, uint32_t>{0, 2 * w_}, {0, 0x80000000}, {0x800A0001, 65536}}) {
    SCOPED_TRACE(base);
    WalkedHeap fresh(layout_);
    heap_.BeginRange(Generation::kGen2);
    const uint64_t type = heap_.Type(flags, base);
    const uint64_t at = heap_.Object(plain_);
    heap_.Poke(at, type);
    std::vector<HeapRange> ranges = {heap_.EndRange()};
    const WalkReport& report = fresh.Walk(ranges);
    ASSERT_EQ(report.problem_count, 1u);
    EXPECT_EQ(report.problems[0].fault, WalkFault::kImplausibleMethodTable);
    EXPECT_EQ(report.problems[0].value, type);
  }
}

TEST_P(Fault, GcDescWithoutSeries) { ExpectImplausible({0}); }
TEST_P(Fault, GcDescOfMoreSeriesThanTheObjectHasWords) { ExpectImplausible({1000000}); }
TEST_P(Fault, GcDescOfAFixedObjectThatRepeats) { ExpectImplausible({-1, w_, Item(1, 0)}); }
TEST_P(Fault, SeriesOverTheMethodTableWord) { ExpectImplausible({1, 0, w_ - 4 * w_}); }
TEST_P(Fault, SeriesAtAnOddOffset) { ExpectImplausible({1, w_ + 1, w_ - 4 * w_}); }
TEST_P(Fault, SeriesOfAnOddSize) { ExpectImplausible({1, w_, w_ + 1 - int64_t{4 * w_}}); }
TEST_P(Fault, SeriesOfNoSize) { ExpectImplausible({1, w_, -int64_t{4 * w_}}); }
// Fields are words 1 and 2; the last word of the base size is the next object's header.
TEST_P(Fault, SeriesBeyondTheObject) { ExpectImplausible({1, 2 * w_, 2 * w_ - int64_t{4 * w_}}); }
TEST_P(Fault, SeriesThatStartsBeyondTheObject) { ExpectImplausible({1, 40 * w_, w_ - 4 * w_}); }
TEST_P(Fault, OneWildSeriesOfTwo) { ExpectImplausible({2, w_, w_ - 4 * w_, 9 * w_, w_ - 4 * w_}); }

TEST_P(Fault, ArrayWithTwoNormalSeries) { ExpectImplausibleArray({2, 2 * w_, -3 * w_, 3 * w_, -3 * w_}); }
TEST_P(Fault, ArrayWhoseSeriesDoesNotScale) { ExpectImplausibleArray({1, 2 * w_, 0}); }
TEST_P(Fault, ArrayWhoseSeriesStartsElsewhere) { ExpectImplausibleArray({1, 3 * w_, -int64_t{3 * w_}}); }
TEST_P(Fault, ItemsThatDoNotFillTheComponent) { ExpectImplausibleArray({-1, 2 * w_, Item(1, 0)}); }
TEST_P(Fault, ItemsLargerThanTheComponent) { ExpectImplausibleArray({-1, 2 * w_, Item(3, 0)}); }
TEST_P(Fault, ItemsWithoutReferences) { ExpectImplausibleArray({-1, 2 * w_, Item(0, 2 * w_)}); }
TEST_P(Fault, FirstReferenceBeforeTheComponents) { ExpectImplausibleArray({-1, w_, Item(1, w_)}); }
TEST_P(Fault, FirstReferenceBeyondTheFirstComponent) { ExpectImplausibleArray({-1, 4 * w_, Item(1, w_)}); }
TEST_P(Fault, TooManyItems) { ExpectImplausibleArray({-1000000, 2 * w_, Item(1, w_)}); }

TEST_P(Fault, UnreadableGcDesc) {
  auto* pages = static_cast<uint8_t*>(
      mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  const auto type = reinterpret_cast<uint64_t>(pages) + 4096;  // its GCDesc would lie in the page before
  const uint32_t head[] = {0x01000000, 4 * w_};
  memcpy(pages + 4096, head, sizeof head);
  mprotect(pages, 4096, PROT_NONE);
  ExpectFault(type, WalkFault::kImplausibleGcDesc);
  munmap(pages, 8192);
}

TEST_P(Fault, MoreFixedSlotsThanAChunkMayHold) {
  const uint32_t slots = stream::kMaxFixedSlots + 1;
  ExpectFault(heap_.Class((2 + slots) * w_, {{w_, slots}}), WalkFault::kImplausibleGcDesc);
}

TEST_P(Fault, AnObjectThatOverrunsItsRange) {
  const uint64_t bytes = heap_.PrimitiveArray(1);
  heap_.BeginRange(Generation::kGen2);
  heap_.Object(plain_);
  const uint64_t array = heap_.Object(bytes, 100);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  ranges[0].length -= 8;
  const WalkReport& report = walked_.Walk(ranges);
  ASSERT_EQ(report.problem_count, 1u);
  EXPECT_EQ(report.problems[0].fault, WalkFault::kOverrun);
  EXPECT_EQ(report.problems[0].address, array);
  EXPECT_EQ(report.problems[0].value, 3 * w_ + 100);
  EXPECT_EQ(ranges[0].walked, 3 * w_);
  EXPECT_EQ(walked_.Objects(ranges).size(), 1u);
}

TEST_P(Fault, ALengthOf32BitsTimesAComponentOf16) {
  const uint64_t large = heap_.PrimitiveArray(65535);
  heap_.BeginRange(Generation::kLoh);
  heap_.Object(large, 0);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  const uint32_t length = 0xFFFFFFFF;
  memcpy(reinterpret_cast<void*>(ranges[0].start + w_), &length, 4);
  const WalkReport& report = walked_.Walk(ranges);
  ASSERT_EQ(report.problem_count, 1u);
  // 4,294,967,295 × 65,535 = 281,470,681,677,825: not a bit is lost.
  EXPECT_EQ(report.problems[0].value, 3 * w_ + 281470681677825u);
}

TEST_P(Fault, ARangeThatEndsWithinAHeader) {
  heap_.BeginRange(Generation::kGen2);
  heap_.Object(plain_);
  const uint64_t second = heap_.Object(plain_);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  ranges[0].length -= 2 * w_;
  const WalkReport& report = walked_.Walk(ranges);
  ASSERT_EQ(report.problem_count, 1u);
  EXPECT_EQ(report.problems[0].fault, WalkFault::kOverrun);
  EXPECT_EQ(report.problems[0].address, second);
}

TEST_P(Fault, AZeroMethodTableEndsTheNonGcHeapQuietly) {
  heap_.BeginRange(Generation::kFrozen);
  heap_.Object(plain_);
  heap_.Poke(heap_.Object(plain_), 0);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  EXPECT_EQ(walked_.Walk(ranges).problem_count, 0u);
  EXPECT_EQ(ranges[0].length, 3 * w_);
  EXPECT_EQ(ranges[0].walked, ranges[0].length);
  EXPECT_EQ(ranges[0].objects, 1u);
  EXPECT_EQ(walked_.Objects(ranges).size(), 1u);
}

TEST_P(Fault, OtherFaultsAreNotQuietInTheNonGcHeap) {
  heap_.BeginRange(Generation::kFrozen);
  heap_.Poke(heap_.Object(plain_), 0x40);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  EXPECT_EQ(walked_.Walk(ranges).problem_count, 1u);
}

TEST_P(Fault, AFullSpoolStopsTheWalk) {
  // Each chunk of 65,536 objects needs 88 bytes and one per object: one fits in 68 KiB, two do not.
  WalkedHeap small(layout_, 68 << 10);
  std::vector<HeapRange> ranges;
  for (int i = 0; i < 2; ++i) {
    heap_.BeginRange(Generation::kGen2);
    for (uint32_t j = 0; j < stream::kMaxChunkObjects + 10000; ++j) heap_.Object(plain_);
    ranges.push_back(heap_.EndRange());
  }
  const WalkReport& report = small.Walk(ranges);
  ASSERT_EQ(report.problem_count, 1u);
  EXPECT_EQ(report.problems[0].fault, WalkFault::kSpoolFull);
  EXPECT_EQ(report.problems[0].range, 0u);
  // 88 and 10,000 types of one byte.
  EXPECT_EQ(report.problems[0].value, 10088u);
  EXPECT_EQ(report.chunks, 1u);
  EXPECT_EQ(ranges[1].walked, 0u);
  EXPECT_EQ(small.Objects(ranges).size(), stream::kMaxChunkObjects);
}

TEST_P(Fault, AFullSpoolWithinAnArray) {
  WalkedHeap small(layout_, 4096);
  const uint64_t array = heap_.ReferenceArray();
  heap_.BeginRange(Generation::kLoh);
  const uint64_t a = heap_.Object(array, 2 * stream::kMaxChunkSlots);
  for (uint32_t i = 0; i < 2 * stream::kMaxChunkSlots; ++i) heap_.Set(a, heap_.Elements() + uint64_t{i} * w_, a);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  const WalkReport& report = small.Walk(ranges);
  ASSERT_EQ(report.problem_count, 1u);
  EXPECT_EQ(report.problems[0].fault, WalkFault::kSpoolFull);
  EXPECT_EQ(report.problems[0].address, a);
  EXPECT_EQ(small.Memory().SpoolUsed(), 0u);
}

// The table grows from room for 2,048 to room for 8,192.
TEST_P(Fault, ManyTypesAreFoundAgainAfterTheTableGrew) {
  HeapBuilder many(layout_);
  std::vector<uint64_t> types;
  for (uint32_t i = 0; i < 5000; ++i) types.push_back(many.Class(3 * w_));
  many.BeginRange(stream::Generation::kGen2);
  for (int round = 0; round < 2; ++round) {
    for (const uint64_t type : types) many.Object(type);
  }
  std::vector<HeapRange> ranges = {many.EndRange()};
  WalkedHeap walked(layout_);
  EXPECT_EQ(walked.Walk(ranges).problem_count, 0u);
  ASSERT_EQ(walked.Walker().Types().size(), 5000u);
  for (const WalkedType& type : walked.Walker().Types()) ASSERT_EQ(type.objects, 2u);
}

TEST_P(Fault, TooManyTypes) {
  HeapBuilder many(layout_);
  many.BeginRange(Generation::kGen2);
  for (uint32_t i = 0; i <= TypeTable::kMaxTypes; ++i) many.Object(many.Class(3 * w_));
  std::vector<HeapRange> ranges = {many.EndRange()};
  const WalkReport& report = walked_.Walk(ranges);
  ASSERT_EQ(report.problem_count, 1u);
  EXPECT_EQ(report.problems[0].fault, WalkFault::kTooManyTypes);
  EXPECT_EQ(report.objects, TypeTable::kMaxTypes);
}

TEST_P(Fault, WithoutMemoryNothingIsWalked) {
  WalkMemory unmapped;
  auto walker = std::make_unique<HeapWalker>(layout_, unmapped);
  heap_.BeginRange(Generation::kGen2);
  heap_.Object(plain_);
  std::vector<HeapRange> ranges = {heap_.EndRange()};
  EXPECT_EQ(walker->Walk(ranges).problem_count, 1u);
}

TEST(WalkReport, KeepsTheFirstProblemsAndCountsAll) {
  WalkReport report;
  for (uint32_t i = 0; i < 100; ++i) report.Add({WalkFault::kOverrun, i, 0, 0});
  EXPECT_EQ(report.problem_count, 100u);
  EXPECT_EQ(report.problems[63].range, 63u);
}

TEST(WalkFaults, EveryFaultHasACodeAndASentence) {
  for (int i = 0; i <= static_cast<int>(WalkFault::kTooManyTypes); ++i) {
    const auto fault = static_cast<WalkFault>(i);
    EXPECT_EQ(std::string(FaultCode(fault)).rfind("walk.", 0), 0u);
    EXPECT_GT(std::string(FaultSentence(fault)).size(), 10u);
  }
}

INSTANTIATE_TEST_SUITE_P(PointerSizes, Fault, testing::Values(4u, 8u),
                         [](const auto& info) { return info.param == 8 ? "x64" : "x86"; });

}  // namespace
}  // namespace cairn::collector
