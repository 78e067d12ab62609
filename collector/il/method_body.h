#pragma once
// A method's body as instructions: branches, switches and clauses name instructions by their index, so that inserting
// some needs no arithmetic with offsets. Ownership: a plain value.

#include <cstdint>
#include <vector>

#include "collector/abi/ids.h"
#include "collector/il/opcodes.h"

namespace cairn::collector::il {

// An index into MethodBody::instructions; as the end of a range it may be their number.
using Label = uint32_t;

struct Instruction {
  Opcode opcode = 0;
  // The operand's bits; of a branch its Label; of a switch an index into MethodBody::switches.
  uint64_t operand = 0;
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

enum class ClauseKind : uint32_t { kCatch = 0, kFilter = 1, kFinally = 2, kFault = 4 };

struct Clause {
  ClauseKind kind = ClauseKind::kCatch;
  Label try_begin = 0, try_end = 0;
  Label handler_begin = 0, handler_end = 0;
  Label filter_begin = 0;        // kFilter: ends where the handler begins
  abi::mdToken caught_type = 0;  // kCatch
  friend bool operator==(const Clause&, const Clause&) = default;
};

struct MethodBody {
  uint16_t max_stack = 8;
  bool zero_locals = false;
  abi::mdSignature locals = 0;  // 0: none
  std::vector<Instruction> instructions;
  std::vector<std::vector<Label>> switches;
  std::vector<Clause> clauses;  // inner ones first
  // How it was written; smaller forms are used where nothing else demands the larger.
  bool fat_header = false, fat_clauses = false;
  friend bool operator==(const MethodBody&, const MethodBody&) = default;
};

// Why a body is not read, not written, or not trusted.
enum class Fault : uint8_t {
  kNone,
  kTruncated,
  kBadHeader,
  kUnknownInstruction,
  kBadSection,
  kBadTarget,
  kBadClause,
  kTooLarge,
  kFallsOff,
  kBadRegion,
  kCrossesRegion,
  kMisplaced,
  kBadPrefix,
  kBadVariable,
  kBadToken,
  kBadSignature,
  kStackUnderflow,
  kStackOverflow,
  kStackMismatch,
  kStackNotEmpty,
  kJump,
  kTailCall,
  kVarArgs,
  kNotAsWritten,
};

// A part of a sentence: "the body …".
const char* WordsOf(Fault fault);

}  // namespace cairn::collector::il
