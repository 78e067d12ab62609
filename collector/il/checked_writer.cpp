#include "collector/il/checked_writer.h"

#include "collector/il/body_reader.h"
#include "collector/il/body_writer.h"

namespace cairn::collector::il {

namespace {

// Branches may have grown, and the header says itself how it was written.
bool SameMeaning(const MethodBody& a, const MethodBody& b) {
  if (a.instructions.size() != b.instructions.size() || a.switches != b.switches || a.clauses != b.clauses)
    return false;
  if (a.max_stack > b.max_stack || a.zero_locals != b.zero_locals || a.locals != b.locals) return false;
  for (size_t i = 0; i < a.instructions.size(); ++i) {
    const Instruction &left = a.instructions[i], &right = b.instructions[i];
    if (LongForm(left.opcode) != LongForm(right.opcode) || left.operand != right.operand) return false;
  }
  return true;
}

}  // namespace

Fault WriteChecked(const MethodBody& body, const MethodShape& shape, SignatureSource& signatures,
                   std::vector<uint8_t>& bytes) {
  Fault fault = WriteBody(body, bytes);
  if (fault != Fault::kNone) return fault;
  MethodBody again;
  fault = ReadBody(bytes, again);
  if (fault != Fault::kNone) return fault;
  return SameMeaning(body, again) ? VerifyBody(again, shape, signatures) : Fault::kNotAsWritten;
}

}  // namespace cairn::collector::il
