#include "snapshot-format/stream/chunk_decoder.h"

#include <cstring>

namespace cairn::stream {
namespace {

constexpr uint32_t kMaxSlots = kMaxChunkSlots + kMaxFixedSlots;

// Reads varints of one column, one byte at a time only where it must. Never passes the end.
class ColumnCursor {
 public:
  explicit ColumnCursor(std::span<const uint8_t> bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool Next(uint64_t& value) {
    if (at_ < end_ && *at_ < 0x80) {
      value = *at_++;
      return true;
    }
    const uint8_t* next = GetVarint(at_, end_, &value);
    if (next == nullptr) return false;
    at_ = next;
    return true;
  }
  bool NextRaw(uint64_t& value) {
    if (end_ - at_ < 8) return false;
    value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= uint64_t{at_[i]} << (8 * i);
    at_ += 8;
    return true;
  }
  bool AtEnd() const { return at_ == end_; }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

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

// Unaligned size of an object of `length` components, and false where it does not fit 64 bits or is 0.
bool ObjectSize(const TypeLayout& layout, uint64_t length, uint32_t alignment, uint64_t& size) {
  uint64_t bytes = 0;
  const uint64_t component = layout.explicit_slots ? 1 : layout.component_size;
  if (__builtin_mul_overflow(component, length, &bytes)) return false;
  if (__builtin_add_overflow(bytes, layout.base_size, &bytes)) return false;
  if (bytes == 0 || bytes > ~uint64_t{0} - alignment) return false;
  size = AlignUp(bytes, alignment);
  return true;
}

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
  void Seek(uint64_t slot) { slot_ = period_ == 0 ? slot : slot % period_; }

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
    if (!column_.Next(token)) return Stop("the references column ends or is malformed at slot", slot);
    const uint64_t payload = token >> 2;
    switch (static_cast<ReferenceTag>(token & 3)) {
      case ReferenceTag::kNullRun:
        nulls_ = payload;
        if (payload == 0 || payload > targets_.size() - slot) return Stop("a run of nulls does not fit at slot", slot);
        return true;
      case ReferenceTag::kFromSelf:
        return Put(slot, cells.Cell(), self, payload);
      case ReferenceTag::kFromLast:
        return Put(slot, cells.Cell(), cells.Cell(), payload);
      case ReferenceTag::kUnaligned:
        break;
    }
    if (payload != 0 || !column_.NextRaw(targets_[slot])) return Stop("an unaligned target is malformed at slot", slot);
    const uint64_t unit_mask = (uint64_t{1} << shift_) - 1;
    if ((targets_[slot] & unit_mask) == 0) return Stop("an aligned target is marked unaligned at slot", slot);
    return true;
  }
  bool Put(uint32_t slot, uint64_t& cell, uint64_t from, uint64_t payload) {
    const uint64_t target = from + (static_cast<uint64_t>(UnZigZag(payload)) << shift_);
    if (target == 0) return Stop("a null target is written as a reference at slot", slot);
    targets_[slot] = cell = target;
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
  ColumnCursor types(columns.column[ColumnSlot(ColumnKind::kTypes)]);
  ColumnCursor lengths(columns.column[ColumnSlot(ColumnKind::kLengths)]);
  GapCursor gaps(columns.column[ColumnSlot(ColumnKind::kGaps)], unit_shift_);
  if (!gaps.Load()) return "the gaps column is malformed at its start";
  uint64_t address = header.first_address;
  for (uint32_t i = 0; i < header.object_count; ++i) {
    uint64_t type = 0, length = 0, slots = 0;
    if (!types.Next(type)) return At("the types column ends or is malformed at object", i);
    if (type >= types_.size()) return At("an unknown type is named by object", i);
    if (gaps.Object() == i) {
      if (__builtin_add_overflow(address, gaps.Bytes(), &address))
        return At("a gap leaves the address space before object", i);
      if (!gaps.Load()) return At("the gaps column is malformed after object", i);
    }
    const TypeLayout& layout = types_[type];
    if (layout.HasLength()) {
      if (!lengths.Next(length)) return At("the lengths column ends or is malformed at object", i);
      if (layout.explicit_slots) {
        if (!lengths.Next(slots)) return At("the lengths column lacks the slot count of object", i);
      } else if (__builtin_mul_overflow(length, uint64_t{layout.element_slots}, &slots)) {
        return At("the length leaves 64 bits in object", i);
      }
    } else {
      slots = layout.fixed_slots;
    }
    uint64_t size = 0;
    if (!ObjectSize(layout, length, alignment, size)) return At("the size is 0 or leaves 64 bits in object", i);
    out.types[i] = static_cast<uint32_t>(type);
    out.addresses[i] = address;
    out.sizes[i] = size;
    out.lengths[i] = length;
    out.slots[i] = slots;
    if (__builtin_add_overflow(address, size, &address)) return At("the address space ends within object", i);
  }
  if (!types.AtEnd()) return "bytes are left over in the types column";
  if (!lengths.AtEnd()) return "bytes are left over in the lengths column";
  if (!gaps.Done()) return "a gap is left over in the gaps column";
  if (header.object_count != 0 && address != header.end_address)
    return "the last object does not end where the header says";
  return {};
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
