// What is wrong with a body is found, each in its own words; what is right is let through.

#include <gtest/gtest.h>

#include "tests/collector/il/body_builder.h"

namespace cairn::collector::il {
namespace {

using K = ClauseKind;

TEST(BodyVerifier, LetsAReturnThrough) {
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kRet}})), Fault::kNone);
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kLdcI4One}, {op::kRet}}), true), Fault::kNone);
}

TEST(BodyVerifier, FindsWhatRunsPastTheEnd) {
  EXPECT_EQ(VerifyStatic(BodyOf({})), Fault::kFallsOff);
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kNop}})), Fault::kFallsOff);
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kLdcI4One}, {op::kBrFalseS, 0}})), Fault::kFallsOff);
}

TEST(BodyVerifier, FindsWrongStacks) {
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kPop}, {op::kRet}})), Fault::kStackUnderflow);
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kLdcI4One}, {op::kAdd}, {op::kRet}}), true), Fault::kStackUnderflow);
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kLdcI4One}, {op::kLdcI4One}, {op::kPop}, {op::kPop}, {op::kRet}}, 1)),
            Fault::kStackOverflow);
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kLdcI4One}, {op::kRet}})), Fault::kStackMismatch);
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kRet}}), true), Fault::kStackMismatch);
  // Reached with one and with two on the stack.
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kLdcI4One}, {op::kLdcI4One}, {op::kBrFalseS, 0}, {op::kPop}, {op::kRet}})),
            Fault::kStackMismatch);
}

TEST(BodyVerifier, CountsWhatCallsTakeAndGive) {
  const auto call = [](Opcode opcode) {
    return BodyOf({{op::kLdcI4One}, {op::kLdcI4One}, {opcode, 0x06000001}, {op::kPop}, {op::kRet}});
  };
  EXPECT_EQ(VerifyStatic(call(op::kCall)), Fault::kNone);
  EXPECT_EQ(VerifyStatic(call(op::kCalli)), Fault::kStackUnderflow);  // it takes the address too
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kLdcI4One}, {op::kNewobj, 0x06000001}, {op::kPop}, {op::kRet}})), Fault::kNone);
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kCall, 0x70000001}, {op::kRet}})), Fault::kBadToken);
}

TEST(BodyVerifier, FindsUnknownVariables) {
  const auto load = [](Opcode opcode, uint64_t index) { return BodyOf({{opcode, index}, {op::kPop}, {op::kRet}}); };
  EXPECT_EQ(VerifyStatic(load(op::kLdloc3, 0), false, 4), Fault::kNone);
  EXPECT_EQ(VerifyStatic(load(op::kLdloc3, 0), false, 3), Fault::kBadVariable);
  EXPECT_EQ(VerifyStatic(load(op::kLdlocS, 7), false, 7), Fault::kBadVariable);
  EXPECT_EQ(VerifyStatic(load(op::kLdloc, 300), false, 301), Fault::kNone);
  EXPECT_EQ(VerifyStatic(load(op::kLdarg0, 0), false, 0, 0), Fault::kBadVariable);
  EXPECT_EQ(VerifyStatic(load(op::kLdargS, 1), false, 0, 2), Fault::kNone);
}

// try { nop; leave 4 } catch { pop; leave 4 } ret
MethodBody Protected() {
  MethodBody body = BodyOf({{op::kNop}, {op::kLeaveS, 4}, {op::kPop}, {op::kLeaveS, 4}, {op::kRet}});
  body.clauses = {ClauseOf(K::kCatch, 0, 2, 2, 4)};
  return body;
}

TEST(BodyVerifier, LetsProtectedRegionsThrough) { EXPECT_EQ(VerifyStatic(Protected()), Fault::kNone); }

TEST(BodyVerifier, FindsWaysThroughTheBordersOfRegions) {
  MethodBody body = Protected();
  body.instructions[1] = {op::kBrS, 4};
  EXPECT_EQ(VerifyStatic(body), Fault::kCrossesRegion) << "out by a branch";
  body = Protected();
  body.instructions[1] = {op::kNop};
  EXPECT_EQ(VerifyStatic(body), Fault::kCrossesRegion) << "falls into the handler";
  body = Protected();
  body.instructions[0] = {op::kRet};
  EXPECT_EQ(VerifyStatic(body), Fault::kCrossesRegion) << "returns from within";
  body = Protected();
  body.instructions[4] = {op::kBrS, 1};
  EXPECT_EQ(VerifyStatic(body), Fault::kCrossesRegion) << "into the middle";
  body.instructions[4] = {op::kBrS, 0};
  EXPECT_EQ(VerifyStatic(body), Fault::kNone) << "a try may be entered at its beginning";
}

TEST(BodyVerifier, FindsWhatIsOnTheStackAsATryBegins) {
  MethodBody body = BodyOf({{op::kLdcI4One}, {op::kLeaveS, 4}, {op::kPop}, {op::kLeaveS, 4}, {op::kRet}});
  body.clauses = {ClauseOf(K::kCatch, 1, 2, 2, 4)};
  EXPECT_EQ(VerifyStatic(body), Fault::kStackNotEmpty);
}

TEST(BodyVerifier, FindsInstructionsWhereTheyMayNotBe) {
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kEndFinally}})), Fault::kMisplaced);
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kRethrow}})), Fault::kMisplaced);
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kLdcI4One}, {op::kEndFilter}})), Fault::kMisplaced);
  MethodBody body = Protected();
  body.instructions[2] = {op::kEndFinally};
  EXPECT_EQ(VerifyStatic(body), Fault::kMisplaced) << "of a catch";
  body = Protected();
  body.instructions[3] = {op::kRethrow};
  EXPECT_EQ(VerifyStatic(body), Fault::kNone);
}

// try { leave 4 } finally { nop; X; endfinally } ret
TEST(BodyVerifier, FindsWhatLeavesAFinally) {
  MethodBody body = BodyOf({{op::kLeaveS, 4}, {op::kNop}, {op::kNop}, {op::kEndFinally}, {op::kRet}});
  body.clauses = {ClauseOf(K::kFinally, 0, 1, 1, 4)};
  EXPECT_EQ(VerifyStatic(body), Fault::kNone);
  body.instructions[2] = {op::kLeaveS, 4};
  EXPECT_EQ(VerifyStatic(body), Fault::kCrossesRegion);
  body.instructions[2] = {op::kRethrow};
  EXPECT_EQ(VerifyStatic(body), Fault::kMisplaced);
}

// A filter must end at its end, with one word on the stack.
TEST(BodyVerifier, FindsFiltersThatEndWrong) {
  MethodBody body =
      BodyOf({{op::kLeaveS, 5}, {op::kPop}, {op::kLdcI4Zero}, {op::kEndFilter}, {op::kRethrow}, {op::kRet}});
  body.clauses = {ClauseOf(K::kFilter, 0, 1, 4, 5, 1)};
  EXPECT_EQ(VerifyStatic(body), Fault::kNone);
  body.instructions[1] = {op::kNop};
  EXPECT_EQ(VerifyStatic(body), Fault::kStackMismatch);
  body.instructions[1] = {op::kPop};
  body.instructions[2] = {op::kLdNull};
  body.clauses[0].handler_begin = 3;
  EXPECT_NE(VerifyStatic(body), Fault::kNone);
}

TEST(BodyVerifier, FindsRegionsThatOverlapOrLieOutside) {
  MethodBody body = Protected();
  body.clauses.push_back(ClauseOf(K::kFinally, 1, 3, 4, 5));
  EXPECT_EQ(VerifyStatic(body), Fault::kBadRegion);
  body = Protected();
  body.clauses[0].handler_end = 6;
  EXPECT_EQ(VerifyStatic(body), Fault::kBadClause);
  body.clauses[0] = ClauseOf(K::kCatch, 2, 2, 2, 4);
  EXPECT_EQ(VerifyStatic(body), Fault::kBadClause) << "an empty try";
}

TEST(BodyVerifier, FindsPrefixesWithoutTheirCall) {
  EXPECT_EQ(VerifyStatic(BodyOf({{op::kTail}, {op::kRet}})), Fault::kBadPrefix);
  EXPECT_EQ(
      VerifyStatic(BodyOf({{op::kLdcI4One}, {op::kLdcI4One}, {op::kTail}, {op::kCall, 0x06000001}, {op::kRet}}), true),
      Fault::kNone);
  EXPECT_EQ(VerifyStatic(BodyOf(
                {{op::kLdcI4One}, {op::kLdcI4One}, {op::kTail}, {op::kCall, 0x06000001}, {op::kPop}, {op::kRet}})),
            Fault::kBadPrefix);
}

}  // namespace
}  // namespace cairn::collector::il
