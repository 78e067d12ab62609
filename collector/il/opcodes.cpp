#include "collector/il/opcodes.h"

#include <array>
#include <cstddef>

namespace cairn::collector::il {

namespace {

using Table = std::array<OpcodeFacts, 512>;  // the second half: those of two bytes

constexpr size_t SlotOf(Opcode opcode) { return (opcode & 0xFF) + (opcode >= 0xFE00 ? 256u : 0u); }

constexpr Table MakeTable() {
  Table table{};
#define OPCODE(code, name, operand, pops, pushes, flow) \
  table[SlotOf(code)] = {name, Operand::k##operand, pops, pushes, Flow::k##flow};
#include "collector/il/opcodes.inc"
#undef OPCODE
  return table;
}

constexpr Table kTable = MakeTable();
constexpr OpcodeFacts kUnknown{};

}  // namespace

const OpcodeFacts& FactsOf(Opcode opcode) {
  return opcode < 0x100 || opcode >= 0xFE00 ? kTable[SlotOf(opcode)] : kUnknown;
}

uint32_t OperandSize(Operand operand) {
  switch (operand) {
    case Operand::kNone:
      return 0;
    case Operand::kByte:
    case Operand::kVariable1:
    case Operand::kBranch1:
      return 1;
    case Operand::kVariable2:
      return 2;
    case Operand::kWord:
    case Operand::kToken:
    case Operand::kBranch4:
    case Operand::kSwitch:
      return 4;
    case Operand::kLong:
      return 8;
  }
  return 0;
}

Opcode LongForm(Opcode opcode) {
  if (opcode >= op::kBrS && opcode <= op::kBltUnS) return static_cast<Opcode>(opcode + (op::kBr - op::kBrS));
  return opcode == op::kLeaveS ? op::kLeave : opcode;
}

bool FallsThrough(Flow flow) {
  return flow == Flow::kNext || flow == Flow::kConditional || flow == Flow::kCall || flow == Flow::kPrefix;
}

}  // namespace cairn::collector::il
