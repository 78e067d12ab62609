#pragma once
// What is known of each instruction of the intermediate language (ECMA-335, III). Pure.

#include <cstdint>

namespace cairn::collector::il {

// One byte, or 0xFE and a second one: 0xFE16 is "constrained.".
using Opcode = uint16_t;

enum class Operand : uint8_t {
  kNone,
  kByte,
  kWord,       // 32 bits
  kLong,       // 64 bits
  kVariable1,  // index of an argument or local, 8 bits
  kVariable2,  // the same, 16 bits
  kToken,
  kBranch1,  // distance, 8 bits, signed
  kBranch4,
  kSwitch,
};

enum class Flow : uint8_t {
  kNext,
  kBranch,
  kConditional,
  kCall,  // call, calli, callvirt, newobj
  kReturn,
  kThrow,  // throw, rethrow
  kLeave,
  kEndFinally,
  kEndFilter,
  kJump,    // jmp: ends the method, with the arguments of another
  kPrefix,  // belongs to the instruction behind it
};

struct OpcodeFacts {
  const char* name = nullptr;  // null: there is no such instruction
  Operand operand = Operand::kNone;
  uint8_t pops = 0, pushes = 0;
  Flow flow = Flow::kNext;
};

const OpcodeFacts& FactsOf(Opcode opcode);
inline bool IsTwoBytes(Opcode opcode) { return opcode >= 0xFE00; }
// Bytes of the operand; of a switch, those of its count only.
uint32_t OperandSize(Operand operand);
// The same branch with the longer or the shorter distance; anything else stays.
Opcode LongForm(Opcode opcode);
// Whether control may go on behind it.
bool FallsThrough(Flow flow);

// Those that are written or looked for by name.
namespace op {
inline constexpr Opcode kLdarg0 = 0x02, kLdarg3 = 0x05, kLdloc0 = 0x06, kLdloc3 = 0x09, kStloc0 = 0x0A, kStloc3 = 0x0D;
inline constexpr Opcode kLdargS = 0x0E, kStargS = 0x10, kLdlocS = 0x11, kLdlocaS = 0x12, kStlocS = 0x13;
inline constexpr Opcode kLdcI4Zero = 0x16, kLdcI4One = 0x17, kLdcI8 = 0x21, kPop = 0x26, kJmp = 0x27, kCall = 0x28;
inline constexpr Opcode kCalli = 0x29, kRet = 0x2A, kBrS = 0x2B, kBltUnS = 0x37, kBr = 0x38, kSwitch = 0x45;
inline constexpr Opcode kConvI8 = 0x6A, kCallvirt = 0x6F, kNewobj = 0x73, kThrow = 0x7A, kConvI = 0xD3;
inline constexpr Opcode kEndFinally = 0xDC, kLeave = 0xDD, kLeaveS = 0xDE;
inline constexpr Opcode kLdarg = 0xFE09, kStarg = 0xFE0B, kLdloc = 0xFE0C, kLdloca = 0xFE0D, kStloc = 0xFE0E;
inline constexpr Opcode kEndFilter = 0xFE11, kTail = 0xFE14, kRethrow = 0xFE1A;
}  // namespace op

}  // namespace cairn::collector::il
