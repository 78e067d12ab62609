#include "collector/il/body_writer.h"

#include <algorithm>

#include "collector/il/header_bits.h"

namespace cairn::collector::il {

namespace {

constexpr uint64_t kMaxCode = 16u << 20;

bool Fits8(int64_t distance) { return distance >= INT8_MIN && distance <= INT8_MAX; }

class BodyWriter {
 public:
  BodyWriter(const MethodBody& body, std::vector<uint8_t>& bytes) : body_(body), bytes_(bytes) {}

  Fault Write() {
    bytes_.clear();
    if (!LabelsAreGood()) return Fault::kBadTarget;
    for (const Instruction& instruction : body_.instructions) opcodes_.push_back(instruction.opcode);
    do Place();
    while (Grow());
    if (offsets_.back() > kMaxCode) return Fault::kTooLarge;
    WriteHeader();
    for (size_t i = 0; i < opcodes_.size(); ++i) WriteInstruction(i);
    return body_.clauses.empty() ? Fault::kNone : WriteClauses();
  }

 private:
  bool LabelsAreGood() const {
    const size_t count = body_.instructions.size();
    for (const Instruction& instruction : body_.instructions) {
      const OpcodeFacts& facts = FactsOf(instruction.opcode);
      const bool branch = facts.operand == Operand::kBranch1 || facts.operand == Operand::kBranch4;
      if (facts.name == nullptr || (branch && instruction.operand >= count)) return false;
      if (facts.operand == Operand::kSwitch && instruction.operand >= body_.switches.size()) return false;
    }
    const auto inside = [count](Label label) { return label < count; };
    return std::ranges::all_of(body_.switches, [&](const auto& labels) { return std::ranges::all_of(labels, inside); });
  }

  uint64_t SizeOf(size_t index) const {
    const Opcode opcode = opcodes_[index];
    const Operand operand = FactsOf(opcode).operand;
    const uint64_t targets = operand == Operand::kSwitch ? Targets(index).size() : 0;
    return (IsTwoBytes(opcode) ? 2 : 1) + OperandSize(operand) + 4 * targets;
  }

  const std::vector<Label>& Targets(size_t index) const { return body_.switches[body_.instructions[index].operand]; }

  void Place() {
    offsets_.assign(1, 0);
    for (size_t i = 0; i < opcodes_.size(); ++i) offsets_.push_back(offsets_.back() + SizeOf(i));
  }

  // Makes branches long whose targets are too far. A branch never becomes short again, so that this ends.
  bool Grow() {
    bool grown = false;
    for (size_t i = 0; i < opcodes_.size(); ++i) {
      if (FactsOf(opcodes_[i]).operand != Operand::kBranch1 || Fits8(Distance(i, Destination(i)))) continue;
      opcodes_[i] = LongForm(opcodes_[i]);
      grown = true;
    }
    return grown;
  }

  Label Destination(size_t index) const { return static_cast<Label>(body_.instructions[index].operand); }
  int64_t Distance(size_t index, Label target) const {
    return static_cast<int64_t>(offsets_[target]) - static_cast<int64_t>(offsets_[index + 1]);
  }

  bool IsTiny() const {
    return !body_.fat_header && body_.locals == 0 && !body_.zero_locals && body_.clauses.empty() &&
           body_.max_stack <= kTinyMaxStack && offsets_.back() <= kTinyMaxCode;
  }

  void WriteHeader() {
    if (IsTiny()) return Put(offsets_.back() << kTinySizeShift | kTinyFormat, 1);
    uint32_t flags = kFatFormat | uint32_t{kFatWords} << kFatSizeShift;
    if (body_.zero_locals) flags |= kZeroLocals;
    if (!body_.clauses.empty()) flags |= kMoreSections;
    Put(flags, 2);
    Put(body_.max_stack, 2);
    Put(offsets_.back(), 4);
    Put(body_.locals, 4);
  }

  void WriteInstruction(size_t index) {
    const Opcode opcode = opcodes_[index];
    const Operand operand = FactsOf(opcode).operand;
    if (IsTwoBytes(opcode)) Put(0xFE, 1);
    Put(opcode & 0xFF, 1);
    if (operand == Operand::kBranch1 || operand == Operand::kBranch4) {
      return Put(static_cast<uint64_t>(Distance(index, Destination(index))), OperandSize(operand));
    }
    if (operand != Operand::kSwitch) return Put(body_.instructions[index].operand, OperandSize(operand));
    Put(Targets(index).size(), 4);
    for (const Label target : Targets(index)) Put(static_cast<uint64_t>(Distance(index, target)), 4);
  }

  struct Range {
    uint64_t at = 0, size = 0;
  };

  bool RangeOf(Label begin, Label end, Range& range) const {
    if (begin >= end || end >= offsets_.size()) return false;
    range = {offsets_[begin], offsets_[end] - offsets_[begin]};
    return true;
  }

  static bool IsSmall(const Range& range) { return range.at <= UINT16_MAX && range.size <= UINT8_MAX; }

  Fault WriteClauses() {
    std::vector<Range> tries(body_.clauses.size()), handlers(body_.clauses.size());
    bool small = !body_.fat_clauses && body_.clauses.size() <= (UINT8_MAX - kSectionHead) / kSmallClause;
    for (size_t i = 0; i < body_.clauses.size(); ++i) {
      const Clause& clause = body_.clauses[i];
      const bool good = RangeOf(clause.try_begin, clause.try_end, tries[i]) &&
                        RangeOf(clause.handler_begin, clause.handler_end, handlers[i]) &&
                        clause.filter_begin < offsets_.size();
      if (!good) return Fault::kBadClause;
      small = small && IsSmall(tries[i]) && IsSmall(handlers[i]);
    }
    while (bytes_.size() % 4 != 0) Put(0, 1);
    const uint64_t size = kSectionHead + body_.clauses.size() * (small ? kSmallClause : kFatClause);
    if (size > 0xFFFFFF) return Fault::kTooLarge;
    Put(size << 8 | kClauseSection | (small ? 0 : kFatSection), 4);
    for (size_t i = 0; i < body_.clauses.size(); ++i) WriteClause(body_.clauses[i], tries[i], handlers[i], small);
    return Fault::kNone;
  }

  void WriteClause(const Clause& clause, const Range& tried, const Range& handler, bool small) {
    const uint32_t wide = small ? 2 : 4, narrow = small ? 1 : 4;
    Put(static_cast<uint32_t>(clause.kind), wide);
    Put(tried.at, wide);
    Put(tried.size, narrow);
    Put(handler.at, wide);
    Put(handler.size, narrow);
    Put(clause.kind == ClauseKind::kFilter ? offsets_[clause.filter_begin] : clause.caught_type, 4);
  }

  void Put(uint64_t value, uint32_t size) {
    for (uint32_t i = 0; i < size; ++i) bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }

  const MethodBody& body_;
  std::vector<uint8_t>& bytes_;
  std::vector<Opcode> opcodes_;    // in the form that is written
  std::vector<uint64_t> offsets_;  // by instruction, and the end
};

}  // namespace

Fault WriteBody(const MethodBody& body, std::vector<uint8_t>& bytes) { return BodyWriter(body, bytes).Write(); }

}  // namespace cairn::collector::il
