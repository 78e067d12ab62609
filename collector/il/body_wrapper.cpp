#include "collector/il/body_wrapper.h"

#include <algorithm>

#include "collector/abi/element_types.h"
#include "collector/il/variable.h"

namespace cairn::collector::il {

namespace {

constexpr uint16_t kOwnStack = 4;  // key, start, exception, address
constexpr uint32_t kMaxLocals = 0xFFFE;

class BodyWrapper {
 public:
  BodyWrapper(const MethodBody& body, const CallShape& shape, uint32_t first_local, const Wrapping& wrapping,
              MethodBody& wrapped)
      : body_(body), shape_(shape), wrapping_(wrapping), out_(wrapped) {
    const bool named = wrapping.naming.IsKnown();
    exception_ = first_local;
    start_ = first_local + 1;
    handle_ = first_local + 2;
    result_ = first_local + (named ? 3 : 2);
  }

  Fault Wrap() {
    out_.max_stack = std::max(body_.max_stack, kOwnStack);
    out_.zero_locals = body_.zero_locals;
    out_.fat_clauses = body_.fat_clauses;
    Emit(op::kLdcI8, wrapping_.key);
    Call(wrapping_.enter_address, wrapping_.enter_signature);
    Emit(StoreLocal(start_));
    ClearException();
    begin_ = Here();
    const Fault fault = CopyInstructions();
    if (fault != Fault::kNone) return fault;
    Retarget();
    CopyClauses();
    NoteException();
    FinishWithLeave();
    return Fault::kNone;
  }

 private:
  Label Here() const { return static_cast<Label>(out_.instructions.size()); }
  void Emit(Opcode opcode, uint64_t operand = 0) { out_.instructions.push_back({opcode, operand}); }
  void Emit(const Instruction& instruction) { out_.instructions.push_back(instruction); }

  void Call(uint64_t address, abi::mdSignature signature) {
    Emit(op::kLdcI8, address);
    Emit(op::kConvI);
    Emit(op::kCalli, signature);
  }

  void ClearException() {
    Emit(op::kLdcI4Zero);
    Emit(op::kConvI8);
    Emit(StoreLocal(exception_));
  }

  Fault CopyInstructions() {
    place_.reserve(body_.instructions.size() + 1);
    for (const Instruction& instruction : body_.instructions) {
      place_.push_back(Here());
      if (instruction.opcode == op::kJmp) return Fault::kJump;
      if (instruction.opcode == op::kTail) return Fault::kTailCall;
      if (instruction.opcode == op::kRet) {
        EmitReturn();
      } else {
        Emit(instruction);
        if (IsBranch(instruction)) branches_.push_back(Here() - 1);
      }
    }
    place_.push_back(Here());
    return Fault::kNone;
  }

  static bool IsBranch(const Instruction& instruction) {
    const Operand operand = FactsOf(instruction.opcode).operand;
    return operand == Operand::kBranch1 || operand == Operand::kBranch4;
  }

  void EmitReturn() {
    if (shape_.returns) Emit(StoreLocal(result_));
    ClearException();
    returns_.push_back(Here());
    Emit(op::kLeave);
  }

  void Retarget() {
    for (const Label at : branches_) {
      uint64_t& target = out_.instructions[at].operand;
      target = place_[target];
    }
    out_.switches = body_.switches;
    for (auto& labels : out_.switches) {
      for (Label& label : labels) label = place_[label];
    }
  }

  void CopyClauses() {
    out_.clauses = body_.clauses;
    for (Clause& clause : out_.clauses) {
      for (Label* label :
           {&clause.try_begin, &clause.try_end, &clause.handler_begin, &clause.handler_end, &clause.filter_begin}) {
        *label = place_[*label];
      }
      if (clause.kind != ClauseKind::kFilter) clause.filter_begin = 0;
    }
  }

  void NoteException() {
    Clause clause;
    clause.try_begin = begin_;
    clause.try_end = Here();
    const bool named = wrapping_.naming.IsKnown();
    clause.kind = named ? ClauseKind::kFilter : ClauseKind::kFault;
    if (named) clause.filter_begin = EmitFilter();
    clause.handler_begin = Here();
    if (named) {
      Emit(op::kPop);
      Emit(op::kRethrow);
    } else {
      Emit(op::kLdcI4One);  // kUnknownException
      Emit(op::kConvI8);
      Emit(StoreLocal(exception_));
      Emit(op::kEndFinally);
    }
    clause.handler_end = Here();
    out_.clauses.push_back(clause);
  }

  Label EmitFilter() {
    const Label begin = Here();
    Emit(op::kCallvirt, wrapping_.naming.object_get_type);
    Emit(op::kCallvirt, wrapping_.naming.type_get_handle);
    Emit(StoreLocal(handle_));
    Emit(LoadLocalAddress(handle_));
    Emit(op::kCall, wrapping_.naming.handle_get_value);
    Emit(op::kConvI8);
    Emit(StoreLocal(exception_));
    Emit(op::kLdcI4Zero);
    Emit(op::kEndFilter);
    return begin;
  }

  void FinishWithLeave() {
    Clause clause;
    clause.kind = ClauseKind::kFinally;
    clause.try_begin = begin_;
    clause.try_end = clause.handler_begin = Here();
    Emit(op::kLdcI8, wrapping_.key);
    Emit(LoadLocal(start_));
    Emit(LoadLocal(exception_));
    Call(wrapping_.leave_address, wrapping_.leave_signature);
    Emit(op::kEndFinally);
    clause.handler_end = Here();
    out_.clauses.push_back(clause);
    for (const Label at : returns_) out_.instructions[at].operand = Here();
    if (shape_.returns) Emit(LoadLocal(result_));
    Emit(op::kRet);
  }

  const MethodBody& body_;
  const CallShape& shape_;
  const Wrapping& wrapping_;
  MethodBody& out_;
  uint32_t exception_ = 0, start_ = 0, handle_ = 0, result_ = 0;
  Label begin_ = 0;
  std::vector<Label> place_;     // where each instruction of `body_` went
  std::vector<Label> branches_;  // copied ones
  std::vector<Label> returns_;   // the "leave" of each "ret"
};

}  // namespace

Fault WrappedLocals(Blob method, Blob locals, const TypeNaming& naming, std::vector<uint8_t>& signature) {
  CallShape shape;
  if (!ReadCallShape(method, shape)) return Fault::kBadSignature;
  const uint8_t number[] = {static_cast<uint8_t>(abi::ElementType::kInt64)};
  std::vector<uint8_t> handle(1, static_cast<uint8_t>(abi::ElementType::kValueType));
  PutTypeToken(naming.handle_type, handle);
  std::vector<Blob> types = {number, number};  // exception, start
  if (naming.IsKnown()) types.push_back(handle);
  if (shape.returns) types.push_back(shape.return_type);
  return ExtendLocals(locals, types, signature) ? Fault::kNone : Fault::kBadSignature;
}

Fault WrapBody(const MethodBody& body, Blob method, Blob locals, const Wrapping& wrapping, MethodBody& wrapped) {
  CallShape shape;
  uint32_t first_local = 0;
  if (!ReadCallShape(method, shape) || !CountLocals(locals, first_local)) return Fault::kBadSignature;
  if (shape.varargs) return Fault::kVarArgs;
  if (first_local + 4 > kMaxLocals) return Fault::kTooLarge;
  const abi::mdSignature locals_token = wrapped.locals;
  wrapped = MethodBody{};
  wrapped.locals = locals_token;
  return BodyWrapper(body, shape, first_local, wrapping, wrapped).Wrap();
}

}  // namespace cairn::collector::il
