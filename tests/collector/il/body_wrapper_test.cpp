// What stands around a body afterwards, in literal instructions.

#include "collector/il/body_wrapper.h"

#include <gtest/gtest.h>

#include "collector/il/checked_writer.h"
#include "tests/collector/il/body_builder.h"

namespace cairn::collector::il {
namespace {

constexpr uint8_t kStaticVoid[] = {0x00, 0x00, 0x01};
constexpr uint8_t kStaticInt[] = {0x00, 0x00, 0x08};

Wrapping Plain() {
  Wrapping wrapping;
  wrapping.key = 0x0000000500000007;
  wrapping.enter_address = 0x1000;
  wrapping.leave_address = 0x2000;
  wrapping.enter_signature = TwoToOne::kEnterToken;
  wrapping.leave_signature = TwoToOne::kLeaveToken;
  return wrapping;
}

MethodBody Wrapped(const MethodBody& body, Blob method, const Wrapping& wrapping) {
  MethodBody wrapped;
  wrapped.locals = 0x11000009;
  EXPECT_EQ(WrapBody(body, method, {}, wrapping, wrapped), Fault::kNone);
  return wrapped;
}

// Locals: exception 0, start 1, result 2.
TEST(BodyWrapper, PutsCallsAroundAReturn) {
  const MethodBody wrapped = Wrapped(BodyOf({{op::kLdcI4One}, {op::kRet}}), kStaticInt, Plain());
  const std::vector<Instruction> expected = {{op::kLdcI8, 0x500000007},
                                             {op::kLdcI8, 0x1000},
                                             {op::kConvI},
                                             {op::kCalli, TwoToOne::kEnterToken},  // 0
                                             {0x0B},                               // 4: start = stloc.1
                                             {op::kLdcI4Zero},
                                             {op::kConvI8},
                                             {0x0A},  // 5: exception = 0
                                             {op::kLdcI4One},
                                             {0x0C},
                                             {op::kLdcI4Zero},
                                             {op::kConvI8},
                                             {0x0A},
                                             {op::kLeave, 25},  // 8: the body
                                             {op::kLdcI4One},
                                             {op::kConvI8},
                                             {0x0A},
                                             {op::kEndFinally},  // 14: fault
                                             {op::kLdcI8, 0x500000007},
                                             {0x07},
                                             {0x06},
                                             {op::kLdcI8, 0x2000},
                                             {op::kConvI},  // 18: finally
                                             {op::kCalli, TwoToOne::kLeaveToken},
                                             {op::kEndFinally},
                                             {0x08},
                                             {op::kRet}};  // 25
  EXPECT_EQ(wrapped.instructions, expected);
  ASSERT_EQ(wrapped.clauses.size(), 2u);
  EXPECT_EQ(wrapped.clauses[0], ClauseOf(ClauseKind::kFault, 8, 14, 14, 18));
  EXPECT_EQ(wrapped.clauses[1], ClauseOf(ClauseKind::kFinally, 8, 18, 18, 25));
  EXPECT_EQ(wrapped.max_stack, 8);
  std::vector<uint8_t> bytes;
  TwoToOne signatures;
  EXPECT_EQ(WriteChecked(wrapped, {0, 3, true}, signatures, bytes), Fault::kNone);
}

TEST(BodyWrapper, NamesTheExceptionInAFilterThatGoesOnLooking) {
  Wrapping wrapping = Plain();
  wrapping.naming = {0x0A000001, 0x0A000002, 0x0A000003, 0x01000004};
  const MethodBody wrapped = Wrapped(BodyOf({{op::kRet}}), kStaticVoid, wrapping);
  ASSERT_EQ(wrapped.clauses.size(), 2u);
  const Clause& filter = wrapped.clauses[0];
  EXPECT_EQ(filter.kind, ClauseKind::kFilter);
  const std::vector<Instruction> expected = {{op::kCallvirt, 0x0A000001},
                                             {op::kCallvirt, 0x0A000002},
                                             {0x0C},
                                             {op::kLdlocaS, 2},
                                             {op::kCall, 0x0A000003},
                                             {op::kConvI8},
                                             {0x0A},
                                             {op::kLdcI4Zero},
                                             {op::kEndFilter},
                                             {op::kPop},
                                             {op::kRethrow}};
  const auto begin = wrapped.instructions.begin();
  EXPECT_EQ(std::vector<Instruction>(begin + filter.filter_begin, begin + filter.handler_end), expected);
  std::vector<uint8_t> bytes;
  TwoToOne signatures;
  EXPECT_EQ(WriteChecked(wrapped, {0, 3, false}, signatures, bytes), Fault::kNone);
}

// 07, two numbers, the handle (11, TypeRef 4 → 4 << 2 | 1), the result; behind two that were there.
TEST(BodyWrapper, AddsLocalsBehindThoseThatAreThere) {
  const uint8_t before[] = {0x07, 0x02, 0x08, 0x0E};
  std::vector<uint8_t> after;
  ASSERT_EQ(WrappedLocals(kStaticInt, before, {1, 2, 3, 0x01000004}, after), Fault::kNone);
  EXPECT_EQ(after, (std::vector<uint8_t>{0x07, 0x06, 0x08, 0x0E, 0x0A, 0x0A, 0x11, 0x11, 0x08}));
  ASSERT_EQ(WrappedLocals(kStaticVoid, {}, {}, after), Fault::kNone);
  EXPECT_EQ(after, (std::vector<uint8_t>{0x07, 0x02, 0x0A, 0x0A}));
  // "ref readonly": modreq (1F 05) goes, the reference (10 08) stays.
  const uint8_t read_only[] = {0x00, 0x00, 0x1F, 0x05, 0x10, 0x08};
  ASSERT_EQ(WrappedLocals(read_only, {}, {}, after), Fault::kNone);
  EXPECT_EQ(after, (std::vector<uint8_t>{0x07, 0x03, 0x0A, 0x0A, 0x10, 0x08}));
}

TEST(BodyWrapper, LeadsBranchesOn) {
  const MethodBody body = BodyOf({{op::kLdcI4One}, {op::kLdcI4One}, {op::kBrFalseS, 3}, {op::kRet}});
  const MethodBody wrapped = Wrapped(body, kStaticInt, Plain());
  EXPECT_EQ(wrapped.instructions[8 + 2].operand, 8u + 3);  // behind the 8 that come first
}

TEST(BodyWrapper, RefusesWhatItCannotFollow) {
  MethodBody wrapped;
  EXPECT_EQ(WrapBody(BodyOf({{op::kJmp, 0x06000001}}), kStaticVoid, {}, Plain(), wrapped), Fault::kJump);
  const MethodBody tail = BodyOf({{op::kTail}, {op::kCall, 0x06000001}, {op::kRet}});
  EXPECT_EQ(WrapBody(tail, kStaticVoid, {}, Plain(), wrapped), Fault::kTailCall);
  EXPECT_STREQ(WordsOf(Fault::kTailCall), "holds a tail call, which would no longer free its frame");
  const uint8_t varargs[] = {0x05, 0x00, 0x01};
  EXPECT_EQ(WrapBody(BodyOf({{op::kRet}}), varargs, {}, Plain(), wrapped), Fault::kVarArgs);
  const uint8_t cut[] = {0x00, 0x01};
  EXPECT_EQ(WrapBody(BodyOf({{op::kRet}}), cut, {}, Plain(), wrapped), Fault::kBadSignature);
}

// What is written and does not read back, or breaks the rules, never leaves.
TEST(CheckedWriter, KeepsWrongBodiesIn) {
  std::vector<uint8_t> bytes;
  TwoToOne signatures;
  MethodBody body = Wrapped(BodyOf({{op::kRet}}), kStaticVoid, Plain());
  ASSERT_EQ(WriteChecked(body, {0, 2, false}, signatures, bytes), Fault::kNone);
  EXPECT_EQ(WriteChecked(body, {0, 1, false}, signatures, bytes), Fault::kBadVariable);
  MethodBody shallow = body;
  shallow.max_stack = 3;
  EXPECT_EQ(WriteChecked(shallow, {0, 2, false}, signatures, bytes), Fault::kStackOverflow);
  MethodBody crossing = body;
  crossing.clauses[1].try_end = crossing.clauses[1].handler_begin = crossing.clauses[0].handler_end - 1;
  EXPECT_NE(WriteChecked(crossing, {0, 2, false}, signatures, bytes), Fault::kNone);
}

}  // namespace
}  // namespace cairn::collector::il
