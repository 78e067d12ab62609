#include "collector/il/body_reader.h"

#include "collector/il/byte_source.h"
#include "collector/il/header_bits.h"

namespace cairn::collector::il {

namespace {

constexpr Label kNoLabel = UINT32_MAX;
constexpr size_t kMaxCode = 16u << 20;

class BodyReader {
 public:
  BodyReader(std::span<const uint8_t> bytes, MethodBody& body) : bytes_(bytes), body_(body) {}

  Fault Read() {
    Fault fault = ReadHeader();
    if (fault == Fault::kNone) fault = ReadInstructions();
    if (fault == Fault::kNone) fault = ResolveTargets();
    if (fault == Fault::kNone && more_sections_) fault = ReadSections();
    return fault;
  }

 private:
  Fault ReadHeader() {
    body_ = MethodBody{};
    ByteSource source(bytes_);
    const uint8_t first = source.U8();
    if (!source.Ok()) return Fault::kTruncated;
    if ((first & kFormatMask) == kTinyFormat) return SetCode(1, first >> kTinySizeShift);
    return (first & kFormatMask) == kFatFormat ? ReadFatHeader() : Fault::kBadHeader;
  }

  Fault ReadFatHeader() {
    ByteSource source(bytes_);
    const uint16_t flags = source.U16();
    body_.max_stack = source.U16();
    const uint32_t size = source.U32();
    body_.locals = source.U32();
    body_.zero_locals = (flags & kZeroLocals) != 0;
    body_.fat_header = true;
    more_sections_ = (flags & kMoreSections) != 0;
    if (!source.Ok()) return Fault::kTruncated;
    return flags >> kFatSizeShift == kFatWords ? SetCode(kFatBytes, size) : Fault::kBadHeader;
  }

  Fault SetCode(size_t offset, size_t size) {
    if (size > kMaxCode) return Fault::kTooLarge;
    if (size > bytes_.size() - offset) return Fault::kTruncated;
    code_offset_ = offset;
    code_ = bytes_.subspan(offset, size);
    label_of_.assign(size + 1, kNoLabel);
    label_of_[size] = kNoLabel;
    return size == 0 ? Fault::kFallsOff : Fault::kNone;
  }

  Fault ReadInstructions() {
    ByteSource source(code_);
    while (!source.AtEnd()) {
      label_of_[source.Position()] = static_cast<Label>(body_.instructions.size());
      Opcode opcode = source.U8();
      if (opcode == 0xFE) opcode = static_cast<Opcode>(0xFE00 | source.U8());
      const Operand operand = FactsOf(opcode).operand;
      if (!source.Ok()) return Fault::kTruncated;
      if (FactsOf(opcode).name == nullptr) return Fault::kUnknownInstruction;
      body_.instructions.push_back({opcode, source.Read(OperandSize(operand))});
      if (operand == Operand::kSwitch && !ReadSwitch(source)) return Fault::kTruncated;
      if (!source.Ok()) return Fault::kTruncated;
      ends_.push_back(static_cast<uint32_t>(source.Position()));
    }
    label_of_[code_.size()] = static_cast<Label>(body_.instructions.size());
    return Fault::kNone;
  }

  bool ReadSwitch(ByteSource& source) {
    const uint64_t count = body_.instructions.back().operand;
    if (count > source.Left() / 4) return false;
    body_.instructions.back().operand = body_.switches.size();
    std::vector<Label>& distances = body_.switches.emplace_back();
    distances.reserve(count);
    for (uint64_t i = 0; i < count; ++i) distances.push_back(source.U32());
    return true;
  }

  Fault ResolveTargets() {
    bool good = true;
    for (size_t i = 0; i < body_.instructions.size(); ++i) {
      Instruction& instruction = body_.instructions[i];
      const Operand operand = FactsOf(instruction.opcode).operand;
      if (operand == Operand::kBranch1) {
        instruction.operand = Target(i, static_cast<int8_t>(instruction.operand), good);
      } else if (operand == Operand::kBranch4) {
        instruction.operand = Target(i, static_cast<int32_t>(instruction.operand), good);
      } else if (operand == Operand::kSwitch) {
        for (Label& label : body_.switches[instruction.operand]) label = Target(i, static_cast<int32_t>(label), good);
      }
    }
    return good ? Fault::kNone : Fault::kBadTarget;
  }

  Label Target(size_t instruction, int32_t distance, bool& good) {
    const int64_t offset = int64_t{ends_[instruction]} + distance;
    const bool inside = offset >= 0 && offset < static_cast<int64_t>(code_.size());
    const Label label = inside ? label_of_[static_cast<size_t>(offset)] : kNoLabel;
    good = good && label != kNoLabel;
    return label;
  }

  Fault ReadSections() {
    size_t position = code_offset_ + code_.size();
    Fault fault = Fault::kNone;
    while (more_sections_ && fault == Fault::kNone) {
      position = (position + 3) & ~size_t{3};
      if (position > bytes_.size()) return Fault::kTruncated;
      fault = ReadSection(position);
    }
    return fault;
  }

  Fault ReadSection(size_t& position) {
    ByteSource source(bytes_.subspan(position));
    const uint32_t word = source.U32();
    if (!source.Ok()) return Fault::kTruncated;
    const bool fat = (word & kFatSection) != 0;
    if ((word & kSectionKindMask) != kClauseSection) return Fault::kBadSection;
    more_sections_ = (word & kMoreOfSections) != 0;
    body_.fat_clauses = body_.fat_clauses || fat;
    const uint32_t size = fat ? word >> 8 : word >> 8 & 0xFF;
    // Some compilers leave the four bytes of this head out of the size; the division forgives it.
    const uint32_t count = size / (fat ? kFatClause : kSmallClause);
    for (uint32_t i = 0; i < count; ++i) {
      const Fault fault = ReadClause(source, fat);
      if (fault != Fault::kNone) return fault;
    }
    position += source.Position();
    return Fault::kNone;
  }

  Fault ReadClause(ByteSource& source, bool fat) {
    const uint32_t wide = fat ? 4 : 2, narrow = fat ? 4 : 1;
    Clause clause;
    clause.kind = static_cast<ClauseKind>(source.Read(wide));
    const uint64_t try_at = source.Read(wide), try_size = source.Read(narrow);
    const uint64_t handler_at = source.Read(wide), handler_size = source.Read(narrow);
    const uint32_t last = source.U32();
    if (!source.Ok()) return Fault::kTruncated;
    bool good = IsKnown(clause.kind);
    clause.try_begin = At(try_at, good);
    clause.try_end = At(try_at + try_size, good);
    clause.handler_begin = At(handler_at, good);
    clause.handler_end = At(handler_at + handler_size, good);
    if (clause.kind == ClauseKind::kFilter) clause.filter_begin = At(last, good);
    if (clause.kind == ClauseKind::kCatch) clause.caught_type = last;
    body_.clauses.push_back(clause);
    return good ? Fault::kNone : Fault::kBadClause;
  }

  static bool IsKnown(ClauseKind kind) {
    return kind == ClauseKind::kCatch || kind == ClauseKind::kFilter || kind == ClauseKind::kFinally ||
           kind == ClauseKind::kFault;
  }

  Label At(uint64_t offset, bool& good) const {
    const Label label = offset < label_of_.size() ? label_of_[offset] : kNoLabel;
    good = good && label != kNoLabel;
    return label;
  }

  std::span<const uint8_t> bytes_, code_;
  MethodBody& body_;
  size_t code_offset_ = 0;
  bool more_sections_ = false;
  std::vector<Label> label_of_;  // by offset
  std::vector<uint32_t> ends_;   // by instruction
};

}  // namespace

Fault ReadBody(std::span<const uint8_t> bytes, MethodBody& body) { return BodyReader(bytes, body).Read(); }

}  // namespace cairn::collector::il
