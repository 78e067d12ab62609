// The self-check against what the runtime says, and the walk through it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/collector/walk/heap_builder.h"
#include "tests/collector/walk/walked_heap.h"

namespace cairn::collector {
namespace {

using stream::Generation;
using testing::ElementsAre;

// The runtime's answers, written down by the test.
class TableInspector final : public ObjectInspector {
 public:
  struct Answer {
    uint64_t size = 0;
    uint64_t class_id = 0;
    std::vector<Reference> references;
  };
  std::map<uint64_t, Answer> answers;
  uint64_t asked = 0;

  uint64_t Size(uint64_t object) override {
    ++asked;
    return answers[object].size;
  }
  uint64_t ClassId(uint64_t object) override { return answers[object].class_id; }
  bool References(uint64_t object, Visit visit, void* context) override {
    for (const Reference& reference : answers[object].references) visit(context, reference);
    return true;
  }
};

class Inspector : public testing::TestWithParam<unsigned> {
 protected:
  // One of each: a node, an empty string, Free, an array of references, an array of structs.
  void SetUp() override {
    heap_.BeginRange(Generation::kGen2);
    node_ = heap_.Object(node_type_);
    text_ = heap_.Object(string_, 0);
    gap_ = heap_.Object(free_, 20);
    array_ = heap_.Object(array_type_, 3);
    structs_ = heap_.Object(structs_type_, 2);
    heap_.Set(node_, 2 * w_, array_);
    heap_.Set(array_, heap_.Elements() + w_, node_);
    heap_.Set(structs_, heap_.Elements() + w_, text_);
    heap_.Set(structs_, heap_.Elements() + 3 * w_, node_);
    ranges_ = {heap_.EndRange()};
    const uint32_t e = heap_.Elements();
    said_.answers = {{node_, {4 * w_, node_type_, {{2 * w_, array_}}}},
                     // The runtime never says less than three words.
                     {text_, {w_ == 8 ? 24u : 14u, string_, {}}},
                     {gap_, {3 * w_ + 20, 0, {}}},
                     {array_, {6 * w_, array_type_, {{e + w_, node_}}}},
                     {structs_, {7 * w_, structs_type_, {{e + w_, text_}, {e + 3 * w_, node_}}}}};
  }
  CheckReport Check(uint64_t per_range = 0) { return walked_.Walker().CheckSample(ranges_, said_, per_range); }
  void ExpectDifference(uint64_t object, const char* what) {
    const CheckReport report = Check();
    EXPECT_EQ(report.differences, 1u);
    EXPECT_EQ(report.first_object, object);
    EXPECT_STREQ(report.first_what, what);
  }

  LayoutPolicy layout_ = GetParam() == 8 ? X64Layout(10) : X86Layout(10);
  const uint32_t w_ = layout_.pointer_size;
  HeapBuilder heap_{layout_};
  WalkedHeap walked_{layout_};
  uint64_t node_type_ = heap_.Class(4 * w_, {{w_, 2}}), string_ = heap_.String(), free_ = heap_.Free();
  uint64_t array_type_ = heap_.ReferenceArray(), structs_type_ = heap_.StructArray(2 * w_, w_, {{1, w_}});
  uint64_t node_ = 0, text_ = 0, gap_ = 0, array_ = 0, structs_ = 0;
  std::vector<HeapRange> ranges_;
  TableInspector said_;
};

TEST_P(Inspector, AgreesOnEverything) {
  const CheckReport report = Check();
  EXPECT_EQ(report.objects, 5u);
  EXPECT_EQ(report.differences, 0u) << report.first_what;
  EXPECT_EQ(walked_.Memory().SpoolUsed(), 0u);
  for (const WalkedType& type : walked_.Walker().Types()) EXPECT_EQ(type.objects, 0u);
}

TEST_P(Inspector, LooksAtTheFirstObjectsOfEachRange) {
  heap_.BeginRange(Generation::kLoh);
  const uint64_t other = heap_.Object(array_type_, 0);
  said_.answers[other] = {3 * w_, array_type_, {}};
  ranges_.push_back(heap_.EndRange());
  const CheckReport report = Check(2);
  EXPECT_EQ(report.objects, 3u);
  EXPECT_EQ(said_.asked, 3u);
  EXPECT_EQ(report.differences, 0u);
}

TEST_P(Inspector, FindsAnotherSize) {
  said_.answers[array_].size += 8;
  ExpectDifference(array_, "size");
}
TEST_P(Inspector, FindsASizeThatTheRuntimeRefuses) {
  said_.answers[node_].size = 0;
  ExpectDifference(node_, "size");
}
TEST_P(Inspector, FindsAnotherClass) {
  said_.answers[node_].class_id = string_;
  ExpectDifference(node_, "class");
}
TEST_P(Inspector, FindsAFreeObjectThatIsNone) {
  said_.answers[gap_].class_id = free_;
  ExpectDifference(gap_, "class");
}
TEST_P(Inspector, FindsAnObjectWithoutAClass) {
  said_.answers[node_].class_id = 0;
  ExpectDifference(node_, "class");
}
TEST_P(Inspector, FindsAnotherTarget) {
  said_.answers[node_].references[0].target = text_;
  ExpectDifference(node_, "references");
}
TEST_P(Inspector, FindsAnotherSlot) {
  said_.answers[node_].references[0].offset = w_;
  ExpectDifference(node_, "references");
}
TEST_P(Inspector, FindsAnotherOrder) {
  std::swap(said_.answers[structs_].references[0], said_.answers[structs_].references[1]);
  ExpectDifference(structs_, "references");
}
TEST_P(Inspector, FindsAReferenceTooMany) {
  said_.answers[array_].references.push_back({heap_.Elements() + 2 * w_, text_});
  ExpectDifference(array_, "references");
}
TEST_P(Inspector, FindsAReferenceTooFew) {
  said_.answers[structs_].references.pop_back();
  ExpectDifference(structs_, "references");
}
TEST_P(Inspector, FindsAMethodTableThatIsNone) {
  heap_.Poke(node_, 0x40);
  ExpectDifference(node_, "type");
}

TEST_P(Inspector, TheLoaderAllocatorEdgeIsNoSlot) {
  auto& references = said_.answers[node_].references;
  references.insert(references.begin(), {ObjectInspector::kNoOffset, structs_});
  EXPECT_EQ(Check().differences, 0u);
}

TEST_P(Inspector, TheClassOfAnArrayMayBeAnother) {
  said_.answers[array_].class_id = 0x1234;
  EXPECT_EQ(Check().differences, 0u);
  EXPECT_EQ(walked_.TypeOf(array_type_)->class_id, 0x1234u);
  EXPECT_EQ(walked_.TypeOf(structs_type_)->class_id, 0u);
}

TEST_P(Inspector, TheClassOfAnArrayMayNotVary) {
  heap_.BeginRange(Generation::kLoh);
  const uint64_t other = heap_.Object(array_type_, 0);
  ranges_.push_back(heap_.EndRange());
  said_.answers[array_].class_id = 0x1234;
  said_.answers[other] = {3 * w_, 0x5678, {}};
  ExpectDifference(other, "class");
}

TEST_P(Inspector, AnUnloadingContextHasNoClasses) {
  const uint64_t collectible = heap_.Class(3 * w_, {}, layout_.collectible_flag);
  heap_.BeginRange(Generation::kGen0);
  said_.answers[heap_.Object(collectible)] = {3 * w_, 0, {}};
  ranges_.push_back(heap_.EndRange());
  EXPECT_EQ(Check().differences, 0u);
}

TEST_P(Inspector, WalksAfterTheCheckWithTheSameTypes) {
  Check();
  EXPECT_EQ(walked_.Walk(ranges_).problem_count, 0u);
  EXPECT_EQ(walked_.Objects(ranges_).size(), 4u);
  EXPECT_EQ(walked_.Walker().Types().size(), 5u);
}

TEST_P(Inspector, WalksThroughTheRuntime) {
  Check();  // what it learnt from raw memory does not count
  said_.answers[node_].references.push_back({3 * w_, text_});

  const WalkReport& report = walked_.WalkThroughApi(ranges_, said_);

  EXPECT_EQ(report.problem_count, 0u);
  EXPECT_EQ(ranges_[0].walked, ranges_[0].length);
  EXPECT_EQ(report.objects, 4u);
  EXPECT_EQ(report.free_objects, 1u);
  EXPECT_EQ(report.edges, 5u);
  const uint64_t small = w_ == 8 ? 24 : 16;
  // The length is the size as the runtime says it; only references that are not null are known.
  EXPECT_THAT(walked_.Objects(ranges_),
              ElementsAre(WalkedObject{0, node_, node_type_, 4 * w_, 4 * w_, {array_, text_}},
                          WalkedObject{0, text_, string_, small, w_ == 8 ? 24u : 14u, {}},
                          WalkedObject{0, array_, array_type_, 6 * w_, 6 * w_, {node_}},
                          WalkedObject{0, structs_, structs_type_, 7 * w_, 7 * w_, {text_, node_}}));
  EXPECT_EQ(report.bytes + report.free_bytes, ranges_[0].length);
  const WalkedType& type = *walked_.TypeOf(array_type_);
  EXPECT_TRUE(type.explicit_slots);
  EXPECT_EQ(type.base_size, 0u);
  EXPECT_EQ(type.component_size, 1u);
  EXPECT_EQ(type.bytes, 6 * w_);
}

TEST_P(Inspector, TheRuntimeIsNeverAskedAboutWhatIsNoObject) {
  heap_.Poke(array_, 0x40);
  const WalkReport& report = walked_.WalkThroughApi(ranges_, said_);
  ASSERT_EQ(report.problem_count, 1u);
  EXPECT_EQ(report.problems[0].fault, WalkFault::kUnreadableMethodTable);
  EXPECT_EQ(report.problems[0].address, array_);
  EXPECT_EQ(said_.asked, 3u);  // the node, the text and the gap before it
}

TEST_P(Inspector, ThroughTheRuntimeEdgesToTheLoaderAllocatorBelongToTheType) {
  auto& references = said_.answers[node_].references;
  references.insert(references.begin(), {ObjectInspector::kNoOffset, structs_});
  walked_.WalkThroughApi(ranges_, said_);
  EXPECT_THAT(walked_.Objects(ranges_)[0].targets, ElementsAre(array_));
  EXPECT_TRUE(walked_.TypeOf(node_type_)->collectible);
  EXPECT_EQ(walked_.TypeOf(node_type_)->loader_allocator, structs_);
}

TEST_P(Inspector, ThroughTheRuntimeAnArrayGoesOnOverChunks) {
  constexpr uint32_t kLength = stream::kMaxChunkSlots + 3;
  heap_.BeginRange(Generation::kLoh);
  const uint64_t large = heap_.Object(array_type_, kLength);
  ranges_ = {heap_.EndRange()};
  auto& answer = said_.answers[large];
  answer = {(3 + uint64_t{kLength}) * w_, array_type_, {}};
  std::vector<uint64_t> targets;
  for (uint32_t i = 0; i < kLength; ++i) {
    targets.push_back(large + 8 * (i % 5));
    answer.references.push_back({heap_.Elements() + uint64_t{i} * w_, targets.back()});
  }
  EXPECT_EQ(walked_.WalkThroughApi(ranges_, said_).chunks, 2u);
  ASSERT_EQ(walked_.Objects(ranges_).size(), 1u);
  EXPECT_EQ(walked_.Objects(ranges_)[0].targets, targets);
}

TEST_P(Inspector, ThroughTheRuntimeARefusedSizeStopsTheRange) {
  said_.answers[array_].size = 0;
  const WalkReport& report = walked_.WalkThroughApi(ranges_, said_);
  ASSERT_EQ(report.problem_count, 1u);
  EXPECT_EQ(report.problems[0].fault, WalkFault::kImplausibleMethodTable);
  EXPECT_EQ(report.problems[0].address, array_);
  EXPECT_EQ(walked_.Objects(ranges_).size(), 2u);
}

TEST_P(Inspector, ThroughTheRuntimeAnOverrunStopsTheRange) {
  said_.answers[structs_].size += 1000;
  const WalkReport& report = walked_.WalkThroughApi(ranges_, said_);
  ASSERT_EQ(report.problem_count, 1u);
  EXPECT_EQ(report.problems[0].fault, WalkFault::kOverrun);
  EXPECT_EQ(report.problems[0].value, 7 * w_ + 1000);
}

TEST_P(Inspector, ThroughTheRuntimeAClasslessObjectIsNoGap) {
  said_.answers[node_].class_id = 0;
  walked_.WalkThroughApi(ranges_, said_);
  EXPECT_EQ(walked_.Objects(ranges_).size(), 4u);
  EXPECT_FALSE(walked_.TypeOf(node_type_)->is_free);
}

INSTANTIATE_TEST_SUITE_P(PointerSizes, Inspector, testing::Values(4u, 8u),
                         [](const auto& info) { return info.param == 8 ? "x64" : "x86"; });

}  // namespace
}  // namespace cairn::collector
