#pragma once
// Bodies for tests, instruction by instruction.

#include <initializer_list>

#include "collector/il/body_verifier.h"
#include "collector/il/body_wrapper.h"

namespace cairn::collector::il {

// Instructions of which tests are made.
namespace op {
inline constexpr Opcode kNop = 0x00, kDup = 0x25, kBrFalseS = 0x2C, kAdd = 0x58, kLdNull = 0x14;
}

inline MethodBody BodyOf(std::initializer_list<Instruction> instructions, uint16_t max_stack = 8) {
  MethodBody body;
  body.instructions = instructions;
  body.max_stack = max_stack;
  return body;
}

inline Clause ClauseOf(ClauseKind kind, Label try_begin, Label try_end, Label handler_begin, Label handler_end,
                       Label filter_begin = 0) {
  Clause clause;
  clause.kind = kind;
  clause.try_begin = try_begin;
  clause.try_end = try_end;
  clause.handler_begin = handler_begin;
  clause.handler_end = handler_end;
  clause.filter_begin = filter_begin;
  if (kind == ClauseKind::kCatch) clause.caught_type = 0x01000001;
  return clause;
}

// Every call is to a static method that takes two and returns one; tokens of locals are not known.
class TwoToOne final : public SignatureSource {
 public:
  bool SignatureOf(abi::mdToken token, Blob& signature) override {
    static constexpr uint8_t kTwoToOne[] = {0x00, 0x02, 0x08, 0x08, 0x08};
    static constexpr uint8_t kGetter[] = {0x20, 0x00, 0x18};
    signature = kTwoToOne;
    if (token == kEnterToken) signature = kEnterSignature;
    if (token == kLeaveToken) signature = kLeaveSignature;
    if (token >> 24 == 0x0A) signature = kGetter;
    return token >> 24 != 0x70;
  }
  static constexpr abi::mdToken kEnterToken = 0x11000005, kLeaveToken = 0x11000006;
};

inline Fault VerifyStatic(const MethodBody& body, bool returns = false, uint32_t locals = 0, uint32_t arguments = 0) {
  TwoToOne signatures;
  return VerifyBody(body, {arguments, locals, returns}, signatures);
}

}  // namespace cairn::collector::il
