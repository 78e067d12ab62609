#include "collector/il/body_verifier.h"

#include "collector/il/variable.h"

namespace cairn::collector::il {

namespace {

constexpr int32_t kUnvisited = -1;

class BodyVerifier {
 public:
  BodyVerifier(const MethodBody& body, const MethodShape& shape, SignatureSource& signatures)
      : body_(body), shape_(shape), signatures_(signatures), depths_(body.instructions.size(), kUnvisited) {}

  Fault Verify() {
    if (body_.instructions.empty()) return Fault::kFallsOff;
    Note(regions_.Build(body_));
    if (fault_ != Fault::kNone) return fault_;
    Reach(0, 0, RegionTree::kMethod);
    for (const Clause& clause : body_.clauses) ReachHandlers(clause);
    while (!waiting_.empty() && fault_ == Fault::kNone) {
      const Label label = waiting_.back();
      waiting_.pop_back();
      Follow(label);
    }
    return fault_;
  }

 private:
  void Note(Fault fault) {
    if (fault_ == Fault::kNone) fault_ = fault;
  }
  void Demand(bool good, Fault fault) {
    if (!good) Note(fault);
  }

  void ReachHandlers(const Clause& clause) {
    const bool takes = clause.kind == ClauseKind::kCatch || clause.kind == ClauseKind::kFilter;
    Arrive(clause.handler_begin, takes ? 1 : 0);
    if (clause.kind == ClauseKind::kFilter) Arrive(clause.filter_begin, 1);
  }

  // Control goes from an instruction in `from` to `label`, without leaving.
  void Reach(Label label, int32_t depth, RegionIndex from) {
    if (label >= depths_.size()) return Note(Fault::kFallsOff);
    const RegionIndex to = regions_.At(label);
    Demand(regions_.Entered(label, from) == from, Fault::kCrossesRegion);
    Demand(to == from || depth == 0, Fault::kStackNotEmpty);
    Arrive(label, depth);
  }

  void Arrive(Label label, int32_t depth) {
    Demand(depth <= body_.max_stack, Fault::kStackOverflow);
    if (depths_[label] == kUnvisited) {
      depths_[label] = depth;
      waiting_.push_back(label);
    }
    Demand(depths_[label] == depth, Fault::kStackMismatch);
  }

  void Follow(Label label) {
    const Instruction& instruction = body_.instructions[label];
    const OpcodeFacts& facts = FactsOf(instruction.opcode);
    const RegionIndex region = regions_.At(label);
    CheckVariable(instruction);
    int32_t pops = facts.pops, pushes = facts.pushes;
    if (facts.flow == Flow::kCall) CallEffect(instruction, pops, pushes);
    if (facts.flow == Flow::kPrefix) CheckPrefix(label);
    Demand(depths_[label] >= pops, Fault::kStackUnderflow);
    if (fault_ != Fault::kNone) return;
    const int32_t depth = depths_[label] - pops + pushes;
    if (facts.operand == Operand::kSwitch) {
      for (const Label target : body_.switches[instruction.operand]) Reach(target, depth, region);
    } else if (facts.flow == Flow::kBranch || facts.flow == Flow::kConditional) {
      Reach(static_cast<Label>(instruction.operand), depth, region);
    }
    if (FallsThrough(facts.flow)) return Reach(label + 1, depth, region);
    if (facts.flow != Flow::kBranch) CheckEnd(label, depth, region);
  }

  void CheckVariable(const Instruction& instruction) {
    const Variable variable = VariableOf(instruction);
    if (variable.kind == VariableKind::kArgument) Demand(variable.index < shape_.arguments, Fault::kBadVariable);
    if (variable.kind == VariableKind::kLocal) Demand(variable.index < shape_.locals, Fault::kBadVariable);
  }

  void CallEffect(const Instruction& instruction, int32_t& pops, int32_t& pushes) {
    Blob signature;
    CallShape shape;
    const auto token = static_cast<abi::mdToken>(instruction.operand);
    if (!signatures_.SignatureOf(token, signature) || !ReadCallShape(signature, shape)) return Note(Fault::kBadToken);
    const bool makes = instruction.opcode == op::kNewobj;
    Demand(!makes || shape.arguments > 0, Fault::kBadToken);
    pops = static_cast<int32_t>(shape.arguments) + (instruction.opcode == op::kCalli ? 1 : 0) - (makes ? 1 : 0);
    pushes = makes || shape.returns ? 1 : 0;
  }

  void CheckPrefix(Label label) {
    const Opcode prefix = body_.instructions[label].opcode;
    const auto is_prefix = [&](Label at) {
      return at < depths_.size() && FactsOf(body_.instructions[at].opcode).flow == Flow::kPrefix;
    };
    while (is_prefix(label)) ++label;
    if (label >= depths_.size()) return Note(Fault::kBadPrefix);
    const bool call = FactsOf(body_.instructions[label].opcode).flow == Flow::kCall;
    if (prefix != op::kTail) return;
    const bool returns = label + 1 < depths_.size() && body_.instructions[label + 1].opcode == op::kRet;
    Demand(call && returns, Fault::kBadPrefix);
  }

  // Instructions behind which control does not go on.
  void CheckEnd(Label label, int32_t depth, RegionIndex index) {
    const Region& region = regions_[index];
    const Instruction& instruction = body_.instructions[label];
    switch (FactsOf(instruction.opcode).flow) {
      case Flow::kReturn:
        Demand(index == RegionTree::kMethod, Fault::kCrossesRegion);
        return Demand(depth == (shape_.returns ? 1 : 0), Fault::kStackMismatch);
      case Flow::kLeave: {
        const auto target = static_cast<Label>(instruction.operand);
        Demand(regions_.MayLeave(index, target), Fault::kCrossesRegion);
        return Arrive(target, 0);
      }
      case Flow::kEndFinally:
        return Demand(region.kind == RegionKind::kFinally || region.kind == RegionKind::kFault, Fault::kMisplaced);
      case Flow::kEndFilter:
        Demand(region.kind == RegionKind::kFilter && label + 1 == region.end, Fault::kMisplaced);
        return Demand(depth == 0, Fault::kStackMismatch);
      case Flow::kThrow:
        return Demand(instruction.opcode != op::kRethrow || InCatch(index), Fault::kMisplaced);
      default:  // jmp
        return Demand(index == RegionTree::kMethod && depth == 0, Fault::kMisplaced);
    }
  }

  bool InCatch(RegionIndex index) const {
    while (regions_[index].kind == RegionKind::kTry) index = regions_[index].parent;
    return regions_[index].kind == RegionKind::kCatch;
  }

  const MethodBody& body_;
  const MethodShape shape_;
  SignatureSource& signatures_;
  RegionTree regions_;
  std::vector<int32_t> depths_;  // before each instruction
  std::vector<Label> waiting_;
  Fault fault_ = Fault::kNone;
};

}  // namespace

Fault VerifyBody(const MethodBody& body, const MethodShape& shape, SignatureSource& signatures) {
  return BodyVerifier(body, shape, signatures).Verify();
}

}  // namespace cairn::collector::il
