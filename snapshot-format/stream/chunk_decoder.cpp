#include "snapshot-format/stream/chunk_decoder.h"

#include <algorithm>

#include "snapshot-format/stream/column_cursor.h"

namespace cairn::stream {
namespace {

constexpr uint32_t kMaxSlots = kMaxChunkSlots + kMaxFixedSlots;

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
        shapes_(layouts, columns[ColumnKind::kTypes], columns[ColumnKind::kLengths]),
        gaps_(columns[ColumnKind::kGaps], shift),
        alignment_(alignment),
        address_(first_address) {}

  bool LoadFirstGap() { return gaps_.Load(); }

  // Fills object `i`. Returns nullptr, or what is wrong with it.
  const char* Next(uint32_t i, DecodedChunk& out) {
    uint64_t type = 0, size = 0;
    if (const char* wrong = shapes_.Next(type, out.lengths[i], out.slots[i]); wrong != nullptr) return wrong;
    if (const char* wrong = SkipGap(i); wrong != nullptr) return wrong;
    if (!ObjectSize(layouts_[type], out.lengths[i], alignment_, size))
      return "the size is 0 or leaves 64 bits in object";
    out.types[i] = static_cast<uint32_t>(type);
    out.addresses[i] = address_;
    out.sizes[i] = size;
    if (__builtin_add_overflow(address_, size, &address_)) return "the address space ends within object";
    return nullptr;
  }
  // After the last object. Returns an empty string or what is wrong.
  std::string Finish(const ChunkHeader& header) const {
    if (const char* wrong = shapes_.Finish(); wrong != nullptr) return wrong;
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

  std::span<const TypeLayout> layouts_;
  ShapeCursor shapes_;
  GapCursor gaps_;
  uint64_t alignment_;
  uint64_t address_;
};

// Gives every object its slots of a chunk. Only the last object may have more than are here.
class SlotPlacer {
 public:
  explicit SlotPlacer(const ChunkHeader& header)
      : objects_(header.object_count), end_(header.slot_count), at_(header.continued_slots) {}

  // Of object `i`. False: there are too few.
  bool Place(uint32_t i, const TypeLayout& layout, uint64_t slots, uint32_t& first) {
    first = at_;
    if (slots > end_ - at_ && (i + 1 != objects_ || !layout.HasLength())) return false;
    at_ += static_cast<uint32_t>(std::min<uint64_t>(slots, end_ - at_));
    return true;
  }
  // After the last object, where its slots end. Returns an empty string or what is wrong.
  std::string Finish(uint32_t& end) const {
    end = at_;
    return at_ == end_ ? std::string() : At("the chunk has more slots than its objects, of which there are", at_);
  }
  static std::string TooFew(uint32_t i) { return At("the chunk has fewer slots than are needed by object", i); }

 private:
  uint32_t objects_, end_, at_;
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

// The references column once more, without what the references are.
std::string MarkNulls(std::span<const uint8_t> references, uint32_t slots, SlotMap& out) {
  ColumnCursor column(references);
  for (uint32_t slot = 0; slot < slots;) {
    const auto wrong = [&](const char* what) { return At(what, slot) + " of the chunk"; };
    uint64_t token = 0, raw = 0;
    if (!column.NextLong(token)) return wrong("the references column ends or is malformed at slot");
    const auto tag = static_cast<ReferenceTag>(token & 3);
    if (tag != ReferenceTag::kNullRun) {
      if (tag == ReferenceTag::kUnaligned && (token >> 2 != 0 || !column.NextRaw(raw)))
        return wrong("an unaligned target is malformed at slot");
      ++slot;
      continue;
    }
    const uint64_t nulls = token >> 2;
    if (nulls == 0 || nulls > slots - slot) return wrong("a run of nulls does not fit at slot");
    out.MarkNull(slot, slot + static_cast<uint32_t>(nulls));
    slot += static_cast<uint32_t>(nulls);
  }
  return column.AtEnd() ? std::string() : "bytes are left over in the references column";
}

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

std::string ChunkDecoder::PlaceSlots(const ChunkHeader& header, DecodedChunk& out) const {
  SlotPlacer placer(header);
  for (uint32_t i = 0; i < header.object_count; ++i) {
    if (!placer.Place(i, types_[out.types[i]], out.slots[i], out.first_slot[i])) return SlotPlacer::TooFew(i);
  }
  return placer.Finish(out.first_slot[header.object_count]);
}

std::string ChunkDecoder::DecodeReferences(const ChunkHeader& header, const ChunkColumns& columns, DecodedChunk& out) {
  ++epoch_;
  cells_.clear();
  ReferenceCursor references(columns[ColumnKind::kReferences], unit_shift_, out.targets);
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

std::string ChunkDecoder::DecodeSlotMap(const ChunkHeader& header, const ChunkColumns& columns, uint32_t alignment,
                                        SlotMap& out) const {
  if (std::string wrong = CheckHeader(header, alignment); !wrong.empty()) return wrong;
  out.Reset(header.object_count, header.slot_count);
  ShapeCursor shapes(types_, columns[ColumnKind::kTypes], columns[ColumnKind::kLengths]);
  SlotPlacer placer(header);
  for (uint32_t i = 0; i < header.object_count; ++i) {
    uint64_t type = 0, length = 0, slots = 0;
    if (const char* wrong = shapes.Next(type, length, slots); wrong != nullptr) return At(wrong, i);
    if (!placer.Place(i, types_[type], slots, out.first_slot[i])) return SlotPlacer::TooFew(i);
  }
  if (const char* wrong = shapes.Finish(); wrong != nullptr) return wrong;
  if (std::string wrong = placer.Finish(out.first_slot[header.object_count]); !wrong.empty()) return wrong;
  return MarkNulls(columns[ColumnKind::kReferences], header.slot_count, out);
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
