// Bytes of bodies: literal ones, ones that are cut or wrong, and ones that rapidcheck makes up.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "collector/il/body_reader.h"
#include "collector/il/body_writer.h"
#include "tests/collector/il/body_builder.h"

namespace cairn::collector::il {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes Written(const MethodBody& body) {
  Bytes bytes;
  EXPECT_EQ(WriteBody(body, bytes), Fault::kNone);
  return bytes;
}

Fault FaultOf(const Bytes& bytes) {
  MethodBody body;
  return ReadBody(bytes, body);
}

// ldarg.0, ldc.i4.1, add, ret: 4 bytes of code, 4 << 2 | 2 = 0x12.
TEST(BodyBytes, OfATinyBody) {
  const Bytes bytes = {0x12, 0x02, 0x17, 0x58, 0x2A};
  MethodBody body;
  ASSERT_EQ(ReadBody(bytes, body), Fault::kNone);
  EXPECT_EQ(body.instructions.size(), 4u);
  EXPECT_EQ(body.max_stack, 8);
  EXPECT_FALSE(body.fat_header);
  EXPECT_EQ(Written(body), bytes);
}

// Fat: flags 3 | 0x10 (zeroed locals) | 8 (sections), three words; 5 bytes of code, 3 of padding; one small clause:
// kind 1, 12 + 4 = 16 bytes; catch of [0, 2) by [2, 5).
TEST(BodyBytes, OfAFatBodyWithAClause) {
  const Bytes bytes = {0x1B, 0x30, 0x02, 0x00, 0x06, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x11,  // header
                       0xDE, 0x03, 0x26, 0xDE, 0x00, 0x2A, 0x00, 0x00,                          // code, padding
                       0x01, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x02, 0x00, 0x03, 0x07, 0x00, 0x00, 0x01};
  MethodBody body;
  ASSERT_EQ(ReadBody(bytes, body), Fault::kNone);
  EXPECT_EQ(body.locals, 0x11000001u);
  EXPECT_TRUE(body.zero_locals);
  ASSERT_EQ(body.clauses.size(), 1u);
  EXPECT_EQ(body.clauses[0].try_begin, 0u);
  EXPECT_EQ(body.clauses[0].try_end, 1u);
  EXPECT_EQ(body.clauses[0].handler_begin, 1u);
  EXPECT_EQ(body.clauses[0].handler_end, 3u);
  EXPECT_EQ(body.clauses[0].caught_type, 0x01000007u);
  EXPECT_EQ(Written(body), bytes);
}

TEST(BodyBytes, ThatAreCutOrWrongAreFound) {
  EXPECT_EQ(FaultOf({}), Fault::kTruncated);
  EXPECT_EQ(FaultOf({0x12, 0x02}), Fault::kTruncated);  // four announced, one there
  EXPECT_EQ(FaultOf({0x00, 0x2A}), Fault::kBadHeader);
  EXPECT_EQ(FaultOf({0x06, 0x24}), Fault::kUnknownInstruction);
  EXPECT_EQ(FaultOf({0x0A, 0x20, 0x01}), Fault::kTruncated);                    // an operand of four bytes
  EXPECT_EQ(FaultOf({0x0A, 0x2B, 0x01}), Fault::kBadTarget);                    // behind the end
  EXPECT_EQ(FaultOf({0x0E, 0x2B, 0xFF, 0x2A}), Fault::kBadTarget);              // into its own operand
  EXPECT_EQ(FaultOf({0x16, 0x45, 0xFF, 0xFF, 0xFF, 0x7F}), Fault::kTruncated);  // two billion targets
}

// A short branch reaches 127 bytes: over 127 nops it stays, over 128 it becomes long, and so do those that lie in it.
TEST(BodyBytes, GrowWhereABranchIsTooShort) {
  const auto jump_over = [](size_t nops) {
    MethodBody body;
    body.instructions.push_back({op::kBrS, nops + 1});
    body.instructions.resize(nops + 1, {op::kNop});
    body.instructions.push_back({op::kRet});
    return body;
  };
  EXPECT_EQ(Written(jump_over(127))[12], op::kBrS);
  EXPECT_EQ(Written(jump_over(127)).size(), 12u + 2 + 127 + 1);
  EXPECT_EQ(Written(jump_over(128))[12], op::kBr);
  EXPECT_EQ(Written(jump_over(128)).size(), 12u + 5 + 128 + 1);
  MethodBody again;
  ASSERT_EQ(ReadBody(Written(jump_over(128)), again), Fault::kNone);
  EXPECT_EQ(again.instructions[0].operand, 129u);
}

TEST(BodyBytes, OfClausesThatAreTooLargeForTheSmallForm) {
  MethodBody body;
  body.instructions.assign(300, {op::kNop});
  body.instructions.push_back({op::kLeave, 302});
  body.instructions.push_back({op::kEndFinally});
  body.instructions.push_back({op::kRet});
  body.clauses = {ClauseOf(ClauseKind::kFinally, 0, 301, 301, 302)};
  MethodBody again;
  ASSERT_EQ(ReadBody(Written(body), again), Fault::kNone);
  EXPECT_TRUE(again.fat_clauses);
  EXPECT_EQ(again.clauses, body.clauses);
}

// Instructions of every kind of operand, with branches to anywhere.
MethodBody MadeUp(const std::vector<uint32_t>& seeds) {
  static constexpr Opcode kChoices[] = {op::kNop,   op::kLdcI4One, op::kBrS,   op::kBr,     op::kSwitch, op::kCall,
                                        op::kLdcI8, op::kLdlocS,   op::kLdloc, op::kLeaveS, op::kTail,   op::kRet};
  MethodBody body;
  const auto count = static_cast<uint32_t>(seeds.size() + 1);
  for (const uint32_t seed : seeds) {
    Instruction made{kChoices[seed % std::size(kChoices)], seed};
    const Operand operand = FactsOf(made.opcode).operand;
    if (operand == Operand::kNone) made.operand = 0;
    if (operand == Operand::kVariable1) made.operand &= 0xFF;
    if (operand == Operand::kVariable2) made.operand &= 0xFFFF;
    if (operand == Operand::kBranch1 || operand == Operand::kBranch4) made.operand = seed / 16 % count;
    if (operand == Operand::kSwitch) {
      made.operand = body.switches.size();
      body.switches.push_back({seed / 16 % count, seed / 64 % count});
    }
    body.instructions.push_back(made);
  }
  body.instructions.push_back({op::kRet});
  return body;
}

RC_GTEST_PROP(BodyBytes, ComeBackAsTheyWere, (const std::vector<uint32_t>& seeds)) {
  const MethodBody body = MadeUp(seeds);
  Bytes bytes, twice;
  RC_ASSERT(WriteBody(body, bytes) == Fault::kNone);
  MethodBody again;
  RC_ASSERT(ReadBody(bytes, again) == Fault::kNone);
  RC_ASSERT(again.instructions.size() == body.instructions.size());
  RC_ASSERT(again.switches == body.switches);
  for (size_t i = 0; i < body.instructions.size(); ++i) {
    RC_ASSERT(LongForm(again.instructions[i].opcode) == LongForm(body.instructions[i].opcode));
    RC_ASSERT(again.instructions[i].operand == body.instructions[i].operand);
  }
  RC_ASSERT(WriteBody(again, twice) == Fault::kNone);
  RC_ASSERT(twice == bytes);
}

RC_GTEST_PROP(BodyBytes, ThatMeanNothingAreRefusedOrReadWithinBounds, (const Bytes& bytes)) {
  MethodBody body;
  if (ReadBody(bytes, body) != Fault::kNone) return;
  TwoToOne signatures;
  (void)VerifyBody(body, {2, 2, true}, signatures);
}

}  // namespace
}  // namespace cairn::collector::il
