#include "collector/il/method_body.h"

namespace cairn::collector::il {

const char* WordsOf(Fault fault) {
  switch (fault) {
    case Fault::kNone:
      return "is in order";
    case Fault::kTruncated:
      return "ends within an instruction or a table";
    case Fault::kBadHeader:
      return "has a header of an unknown form";
    case Fault::kUnknownInstruction:
      return "holds an unknown instruction";
    case Fault::kBadSection:
      return "has a section of an unknown kind";
    case Fault::kBadTarget:
      return "branches into the middle of an instruction or out of itself";
    case Fault::kBadClause:
      return "has an exception clause that does not fit its instructions";
    case Fault::kTooLarge:
      return "is larger than can be handled";
    case Fault::kFallsOff:
      return "runs past its last instruction";
    case Fault::kBadRegion:
      return "has exception clauses that overlap";
    case Fault::kCrossesRegion:
      return "branches into or out of a protected region";
    case Fault::kMisplaced:
      return "holds an instruction where it is not allowed";
    case Fault::kBadPrefix:
      return "holds a prefix before an instruction that takes none";
    case Fault::kBadVariable:
      return "names an argument or a local that does not exist";
    case Fault::kBadToken:
      return "calls something whose signature cannot be read";
    case Fault::kBadSignature:
      return "has a signature that cannot be read";
    case Fault::kStackUnderflow:
      return "takes more from the evaluation stack than there is";
    case Fault::kStackOverflow:
      return "needs more of the evaluation stack than it declares";
    case Fault::kStackMismatch:
      return "reaches an instruction with evaluation stacks of different depths";
    case Fault::kStackNotEmpty:
      return "enters a protected region with something on the evaluation stack";
    case Fault::kJump:
      return "ends in a jump to another method, which cannot be followed";
    case Fault::kTailCall:
      return "holds a tail call, which would no longer free its frame";
    case Fault::kVarArgs:
      return "takes a variable number of arguments";
    case Fault::kNotAsWritten:
      return "reads back different from what was written";
  }
  return "is not in order";
}

}  // namespace cairn::collector::il
