#include "collector/roots/thread_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collector/abi/masks.h"

namespace cairn::collector {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr FunctionId kMain = 0xA0, kWork = 0xB0, kWait = 0xC0, kOther = 0xD0;

RecordedRoot Local(FunctionId function) {
  return {0x1000, function, static_cast<uint32_t>(abi::GcRootKind::kStack), 0};
}

std::vector<uint32_t> Assign(std::vector<FunctionId> functions, std::vector<RootBlock> threads) {
  std::vector<RecordedRoot> roots;
  for (FunctionId function : functions) roots.push_back(Local(function));
  return AssignThreads(roots, threads);
}

TEST(AssignThreads, ToTheOnlyThread) { EXPECT_THAT(Assign({kMain, 0}, {{7, false, {}}}), ElementsAre(7, 7)); }

TEST(AssignThreads, ByTheMethodsOnTheStacks) {
  EXPECT_THAT(Assign({kWait, kMain, kWait, kWork}, {{1, true, {kWait, kMain}}, {2, true, {kWait, kWork}}}),
              ElementsAre(1, 1, kUncertainThread, 2));  // the second wait may be of either
}

TEST(AssignThreads, ByTheOrderOfTheThreads) {
  // kWork is only on the first stack, so that the wait before it can be of no later thread.
  EXPECT_THAT(Assign({kWait, kWork, kMain}, {{1, true, {kWait, kWork}}, {2, true, {kWait}}, {3, true, {kMain}}}),
              ElementsAre(1, 1, 3));
}

TEST(AssignThreads, ARootWithoutAMethodMayBeOfAny) {
  EXPECT_THAT(Assign({kMain, 0, kWork}, {{1, true, {kMain}}, {2, true, {kWork}}}), ElementsAre(1, kUncertainThread, 2));
  EXPECT_THAT(Assign({0, kMain, kWork, 0}, {{1, true, {kMain}}, {2, true, {kWork}}}), ElementsAre(1, 1, 2, 2));
}

TEST(AssignThreads, AThreadWhoseStackIsNotKnownMayHaveAnything) {
  EXPECT_THAT(Assign({kMain, kWork}, {{1, true, {kMain}}, {2, false, {}}}), ElementsAre(kUncertainThread, 2));
}

TEST(AssignThreads, SaysNothingWhereTheStacksDoNotExplainARoot) {
  EXPECT_THAT(Assign({kMain, kOther}, {{1, true, {kMain}}, {2, true, {kWork}}}), Each(kUncertainThread));
  EXPECT_THAT(Assign({kWork, kMain}, {{1, true, {kMain}}, {2, true, {kWork}}}),
              Each(kUncertainThread));  // the wrong order
}

TEST(AssignThreads, WithoutThreadsOrRoots) {
  EXPECT_THAT(Assign({kMain}, {}), ElementsAre(kUncertainThread));
  EXPECT_THAT(Assign({}, {{1, true, {}}}), IsEmpty());
}

TEST(AssignThreads, LeavesHandlesAlone) {
  const RecordedRoot handle{0x1000, 0x99, static_cast<uint32_t>(abi::GcRootKind::kHandle), 0};
  const std::vector<RecordedRoot> roots = {Local(kMain), handle};
  const std::vector<RootBlock> threads = {{1, true, {kMain}}};
  EXPECT_THAT(AssignThreads(roots, threads), ElementsAre(1, kUncertainThread));
}

}  // namespace
}  // namespace cairn::collector
