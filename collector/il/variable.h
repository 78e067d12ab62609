#pragma once
// Which argument or local an instruction names, whatever its form; and the shortest form that names one.

#include "collector/il/method_body.h"

namespace cairn::collector::il {

enum class VariableKind : uint8_t { kNone, kArgument, kLocal };

struct Variable {
  VariableKind kind = VariableKind::kNone;
  uint32_t index = 0;
};

inline Variable VariableOf(const Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  const auto operand = static_cast<uint32_t>(instruction.operand);
  if (opcode >= op::kLdarg0 && opcode <= op::kLdarg3) {
    return {VariableKind::kArgument, static_cast<uint32_t>(opcode - op::kLdarg0)};
  }
  if (opcode >= op::kLdloc0 && opcode <= op::kStloc3) {
    return {VariableKind::kLocal, static_cast<uint32_t>(opcode - op::kLdloc0) % 4};
  }
  const bool argument =
      (opcode >= op::kLdargS && opcode <= op::kStargS) || (opcode >= op::kLdarg && opcode <= op::kStarg);
  const bool local = (opcode >= op::kLdlocS && opcode <= op::kStlocS) || (opcode >= op::kLdloc && opcode <= op::kStloc);
  if (argument) return {VariableKind::kArgument, operand};
  return local ? Variable{VariableKind::kLocal, operand} : Variable{};
}

inline Instruction LoadLocal(uint32_t index) {
  if (index < 4) return {static_cast<Opcode>(op::kLdloc0 + index), 0};
  return {index < 256 ? op::kLdlocS : op::kLdloc, index};
}

inline Instruction StoreLocal(uint32_t index) {
  if (index < 4) return {static_cast<Opcode>(op::kStloc0 + index), 0};
  return {index < 256 ? op::kStlocS : op::kStloc, index};
}

inline Instruction LoadLocalAddress(uint32_t index) { return {index < 256 ? op::kLdlocaS : op::kLdloca, index}; }

}  // namespace cairn::collector::il
