#include "snapshot-format/stream/chunk_decoder.h"

#include <bit>
#include <cstring>

namespace cairn::stream {
namespace {

constexpr uint32_t kMaxSlots = kMaxChunkSlots + kMaxFixedSlots;

// Reads varints of one column; never passes its end. Written without branches on the data where it can
// be: which object has a length and how long a token is cannot be predicted.
class ColumnCursor {
 public:
  explicit ColumnCursor(std::span<const uint8_t> bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool Next(uint64_t& value) { return NextIf(true, value); }
  // For values of one byte mostly. Reads nothing, and 0, where it is not `wanted`.
  bool NextIf(bool wanted, uint64_t& value) {
    const uint64_t byte = at_ < end_ ? *at_ : 0x80;
    if (wanted && byte >= 0x80) return NextSlowly(value);
    value = wanted ? byte : 0;
    at_ += wanted;
    return true;
  }
  // For values of any length.
  bool NextLong(uint64_t& value) {
    if (end_ - at_ < 8) return NextSlowly(value);
    uint64_t word;
    std::memcpy(&word, at_, sizeof word);
    const uint64_t last = ~word & 0x8080808080808080;  // high bits of the bytes that may end it
    if (last == 0) return NextSlowly(value);
    const int bits = std::countr_zero(last) + 1;
    at_ += bits / 8;
    value = JoinSevenBits(word & (~uint64_t{0} >> (64 - bits)));
    return true;
  }
  bool NextRaw(uint64_t& value) {
    if (end_ - at_ < 8) return false;
    std::memcpy(&value, at_, sizeof value);
    at_ += 8;
    return true;
  }
  bool AtEnd() const { return at_ == end_; }

 private:
  // Takes the high bit out of each byte: pairs, then fours, then all eight.
  static uint64_t JoinSevenBits(uint64_t word) {
    word = (word & 0x007F007F007F007F) | (word & 0x7F007F007F007F00) >> 1;
    word = (word & 0x00003FFF00003FFF) | (word & 0x3FFF00003FFF0000) >> 2;
    return (word & 0x000000000FFFFFFF) | (word & 0x0FFFFFFF00000000) >> 4;
  }
  bool NextSlowly(uint64_t& value) {
    const uint8_t* next = GetVarint(at_, end_, &value);
    if (next == nullptr) return false;
    at_ = next;
    return true;
  }

  const uint8_t* at_;
  const uint8_t* end_;
};
static_assert(std::endian::native == std::endian::little, "words are read as little-endian");

std::string At(const char* what, uint64_t index) { return std::string(what) + " " + std::to_string(index); }

// The gaps column: tells before which object the next gap lies.
class GapCursor {
 public:
  GapCursor(std::span<const uint8_t> bytes, unsigned shift) : column_(bytes), shift_(shift) {}

  // Reads the pair that comes next. False: the column is wrong.
  bool Load() {
    if (column_.AtEnd()) {
      object_ = ~uint64_t{0};
      return true;
    }
    uint64_t distance = 0, units = 0;
    if (!column_.Next(distance) || !column_.Next(units)) return false;
    if (distance == 0 || distance > kMaxChunkObjects || units == 0 || units >> (64 - shift_) != 0) return false;
    object_ += distance;
    bytes_ = units << shift_;
    return true;
  }
  uint64_t Object() const { return object_; }
  uint64_t Bytes() const { return bytes_; }
  bool Done() const { return object_ == ~uint64_t{0}; }

 private:
  ColumnCursor column_;
  unsigned shift_;
  uint64_t object_ = 0;
  uint64_t bytes_ = 0;
};

// Size of an object of `length` components, aligned; false where it does not fit 64 bits or is 0.
bool ObjectSize(const TypeLayout& layout, uint64_t length, uint32_t alignment, uint64_t& size) {
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(length, uint64_t{layout.component_size}, &bytes)) return false;
  if (__builtin_add_overflow(bytes, layout.base_size, &bytes)) return false;
  if (bytes == 0 || bytes > ~uint64_t{0} - alignment) return false;
  size = AlignUp(bytes, alignment);
  return true;
}

// The columns that say which objects there are and how large they are.
class ObjectCursor {
 public:
  ObjectCursor(std::span<const TypeLayout> layouts, const ChunkColumns& columns, unsigned shift, uint32_t alignment,
               uint64_t first_address)
      : layouts_(layouts),
        types_(columns.column[ColumnSlot(ColumnKind::kTypes)]),
        lengths_(columns.column[ColumnSlot(ColumnKind::kLengths)]),
        gaps_(columns.column[ColumnSlot(ColumnKind::kGaps)], shift),
        alignment_(alignment),
        address_(first_address) {}

  bool LoadFirstGap() { return gaps_.Load(); }

  // Fills object `i`. Returns nullptr, or what is wrong with it.
  const char* Next(uint32_t i, DecodedChunk& out) {
    uint64_t type = 0, size = 0;
    if (!types_.Next(type)) return "the types column ends or is malformed at object";
    if (type >= layouts_.size()) return "an unknown type is named by object";
    if (const char* wrong = SkipGap(i); wrong != nullptr) return wrong;
    const TypeLayout& layout = layouts_[type];
    if (const char* wrong = ReadLength(layout, out.lengths[i], out.slots[i]); wrong != nullptr) return wrong;
    if (!ObjectSize(layout, out.lengths[i], alignment_, size)) return "the size is 0 or leaves 64 bits in object";
    out.types[i] = static_cast<uint32_t>(type);
    out.addresses[i] = address_;
    out.sizes[i] = size;
    if (__builtin_add_overflow(address_, size, &address_)) return "the address space ends within object";
    return nullptr;
  }
  // After the last object. Returns an empty string or what is wrong.
  std::string Finish(const ChunkHeader& header) const {
    if (!types_.AtEnd()) return "bytes are left over in the types column";
    if (!lengths_.AtEnd()) return "bytes are left over in the lengths column";
    if (!gaps_.Done()) return "a gap is left over in the gaps column";
    if (header.object_count == 0 || address_ == header.end_address) return {};
    return "the last object does not end where the header says";
  }

 private:
  const char* SkipGap(uint32_t i) {
    if (gaps_.Object() != i) return nullptr;
    if (__builtin_add_overflow(address_, gaps_.Bytes(), &address_))
      return "a gap leaves the address space before object";
    return gaps_.Load() ? nullptr : "the gaps column is malformed after object";
  }
  const char* ReadLength(const TypeLayout& layout, uint64_t& length, uint64_t& slots) {
    if (!lengths_.NextIf(layout.HasLength(), length)) return "the lengths column ends or is malformed at object";
    if (layout.explicit_slots)
      return lengths_.Next(slots) ? nullptr : "the lengths column lacks the slot count of object";
    // Only one of the two is not 0: a type has a length or it has fixed slots.
    uint64_t of_elements = 0;
    if (__builtin_mul_overflow(length, uint64_t{layout.element_slots}, &of_elements))
      return "the length leaves 64 bits in object";
    slots = layout.component_size != 0 ? of_elements : layout.fixed_slots;
    return nullptr;
  }

  std::span<const TypeLayout> layouts_;
  ColumnCursor types_, lengths_;
  GapCursor gaps_;
  uint64_t alignment_;
  uint64_t address_;
};

// Walks the cells of one type: slot 0 of an object or component is cell 0.
class CellCursor {
 public:
  CellCursor(const TypeLayout& layout, uint64_t* cells, uint64_t first_slot) : cells_(cells) {
    if (!layout.explicit_slots) period_ = layout.component_size != 0 ? layout.element_slots : layout.fixed_slots;
    Seek(first_slot);
  }
  uint64_t& Cell() const { return cells_[slot_ % kMaxPredictorCells]; }
  void Advance() {
    if (++slot_ == period_) slot_ = 0;
  }
  void Skip(uint64_t slots) { Seek(slot_ + slots); }

 private:
  // A division costs more than the rest of an object, and most have nothing to divide.
  void Seek(uint64_t slot) { slot_ = period_ == 0 || slot < period_ ? slot : slot % period_; }

  uint64_t* cells_;
  uint64_t period_ = 0;  // 0: never repeats
  uint64_t slot_ = 0;
};

// The references column: fills targets slot by slot, carrying a run of nulls from object to object.
class ReferenceCursor {
 public:
  ReferenceCursor(std::span<const uint8_t> bytes, unsigned shift, std::vector<uint64_t>& targets)
      : column_(bytes), shift_(shift), targets_(targets) {}

  // Fills targets[begin, end), slots of the object at `self`. False: see Wrong.
  bool Fill(uint64_t self, CellCursor cells, uint32_t begin, uint32_t end) {
    for (uint32_t slot = begin; slot < end;) {
      if (nulls_ == 0) {
        if (!Token(self, cells, slot)) return false;
        if (nulls_ == 0) {
          ++slot;
          cells.Advance();
          continue;
        }
      }
      const uint64_t skip = nulls_ < end - slot ? nulls_ : end - slot;
      nulls_ -= skip;
      slot += static_cast<uint32_t>(skip);
      if (slot < end) cells.Skip(skip);
    }
    return true;
  }
  bool Finished() const { return nulls_ == 0 && column_.AtEnd(); }
  std::string Wrong() const { return At(wrong_, slot_) + " of the chunk"; }

 private:
  bool Token(uint64_t self, const CellCursor& cells, uint32_t slot) {
    uint64_t token = 0;
    if (!column_.NextLong(token)) return Stop("the references column ends or is malformed at slot", slot);
    const uint64_t payload = token >> 2;
    const auto tag = static_cast<ReferenceTag>(token & 3);
    if (tag == ReferenceTag::kNullRun) return StartNulls(slot, payload);
    if (tag == ReferenceTag::kUnaligned) return PutUnaligned(slot, payload);
    uint64_t& cell = cells.Cell();
    const uint64_t from = tag == ReferenceTag::kFromSelf ? self : cell;
    const uint64_t target = from + (static_cast<uint64_t>(UnZigZag(payload)) << shift_);
    if (target == 0) return Stop("a null target is written as a reference at slot", slot);
    targets_[slot] = cell = target;
    return true;
  }
  bool StartNulls(uint32_t slot, uint64_t count) {
    nulls_ = count;
    if (count == 0 || count > targets_.size() - slot) return Stop("a run of nulls does not fit at slot", slot);
    return true;
  }
  bool PutUnaligned(uint32_t slot, uint64_t payload) {
    uint64_t target = 0;
    if (payload != 0 || !column_.NextRaw(target)) return Stop("an unaligned target is malformed at slot", slot);
    const uint64_t unit_mask = (uint64_t{1} << shift_) - 1;
    if ((target & unit_mask) == 0) return Stop("an aligned target is marked unaligned at slot", slot);
    targets_[slot] = target;
    return true;
  }
  bool Stop(const char* wrong, uint32_t slot) {
    wrong_ = wrong;
    slot_ = slot;
    return false;
  }

  ColumnCursor column_;
  unsigned shift_;
  std::vector<uint64_t>& targets_;
  uint64_t nulls_ = 0;
  const char* wrong_ = "";
  uint32_t slot_ = 0;
};

void Resize(const ChunkHeader& header, DecodedChunk& out) {
  out.types.resize(header.object_count);
  out.addresses.resize(header.object_count);
  out.sizes.resize(header.object_count);
  out.lengths.resize(header.object_count);
  out.slots.resize(header.object_count);
  out.first_slot.resize(size_t{header.object_count} + 1);
  out.targets.assign(header.slot_count, 0);
}

}  // namespace

ChunkDecoder::ChunkDecoder(std::span<const TypeLayout> types, unsigned unit_shift)
    : types_(types), unit_shift_(unit_shift), cell_epoch_(types.size()), first_cell_(types.size()) {}

std::string ChunkDecoder::Decode(const ChunkHeader& header, const ChunkColumns& columns, uint32_t alignment,
                                 DecodedChunk& out) {
  if (std::string wrong = CheckHeader(header, alignment); !wrong.empty()) return wrong;
  Resize(header, out);
  if (std::string wrong = DecodeObjects(header, columns, alignment, out); !wrong.empty()) return wrong;
  if (std::string wrong = PlaceSlots(header, out); !wrong.empty()) return wrong;
  return DecodeReferences(header, columns, out);
}

std::string ChunkDecoder::CheckHeader(const ChunkHeader& header, uint32_t alignment) const {
  const uint64_t unit = uint64_t{1} << unit_shift_;
  if (alignment < unit || (alignment & (alignment - 1)) != 0)
    return At("the range has the impossible alignment", alignment);
  if (header.object_count > kMaxChunkObjects) return At("the chunk claims too many objects:", header.object_count);
  if (header.slot_count > kMaxSlots) return At("the chunk claims too many slots:", header.slot_count);
  if (header.continued_slots > header.slot_count) return "the chunk continues more slots than it has";
  if ((header.continued_object != 0) != (header.continued_slots != 0)) return "the chunk continues an array by halves";
  if (header.object_count != 0 && header.first_address % unit != 0)
    return "the first object lies at an unaligned address";
  if (header.continued_object % unit != 0) return "the continued array lies at an unaligned address";
  if (header.continued_slots == 0) return {};
  if (header.continued_type >= types_.size())
    return At("the continued array has the unknown type", header.continued_type);
  const TypeLayout& layout = types_[header.continued_type];
  if (!layout.HasLength()) return At("the continued object is of fixed size, type", header.continued_type);
  if (!layout.explicit_slots && layout.element_slots == 0) return "the continued array is of a type without slots";
  return {};
}

std::string ChunkDecoder::DecodeObjects(const ChunkHeader& header, const ChunkColumns& columns, uint32_t alignment,
                                        DecodedChunk& out) {
  ObjectCursor objects(types_, columns, unit_shift_, alignment, header.first_address);
  if (!objects.LoadFirstGap()) return "the gaps column is malformed at its start";
  for (uint32_t i = 0; i < header.object_count; ++i) {
    if (const char* wrong = objects.Next(i, out); wrong != nullptr) return At(wrong, i);
  }
  return objects.Finish(header);
}

// Gives every object its slots of this chunk. Only the last object may have more than are here.
std::string ChunkDecoder::PlaceSlots(const ChunkHeader& header, DecodedChunk& out) const {
  uint32_t at = header.continued_slots;
  for (uint32_t i = 0; i < header.object_count; ++i) {
    out.first_slot[i] = at;
    const uint32_t left = header.slot_count - at;
    if (out.slots[i] <= left) {
      at += static_cast<uint32_t>(out.slots[i]);
      continue;
    }
    const bool may_go_on = i + 1 == header.object_count && types_[out.types[i]].HasLength();
    if (!may_go_on) return At("the chunk has fewer slots than are needed by object", i);
    at = header.slot_count;
  }
  out.first_slot[header.object_count] = at;
  if (at != header.slot_count) return At("the chunk has more slots than its objects, of which there are", at);
  return {};
}

std::string ChunkDecoder::DecodeReferences(const ChunkHeader& header, const ChunkColumns& columns, DecodedChunk& out) {
  ++epoch_;
  cells_.clear();
  ReferenceCursor references(columns.column[ColumnSlot(ColumnKind::kReferences)], unit_shift_, out.targets);
  if (header.continued_slots != 0) {
    const CellCursor cells(types_[header.continued_type], Cells(header.continued_type), header.continued_slot);
    if (!references.Fill(header.continued_object, cells, 0, header.continued_slots)) return references.Wrong();
  }
  for (uint32_t i = 0; i < header.object_count; ++i) {
    if (out.first_slot[i] == out.first_slot[i + 1]) continue;
    const CellCursor cells(types_[out.types[i]], Cells(out.types[i]), 0);
    if (!references.Fill(out.addresses[i], cells, out.first_slot[i], out.first_slot[i + 1])) return references.Wrong();
  }
  return references.Finished() ? std::string() : "bytes are left over in the references column";
}

// Valid until the next call: the cells may move when another type gets its own.
uint64_t* ChunkDecoder::Cells(uint32_t type) {
  if (cell_epoch_[type] != epoch_) {
    cell_epoch_[type] = epoch_;
    first_cell_[type] = static_cast<uint32_t>(cells_.size());
    cells_.resize(cells_.size() + PredictorCellCount(types_[type]), 0);
  }
  return cells_.data() + first_cell_[type];
}

}  // namespace cairn::stream
