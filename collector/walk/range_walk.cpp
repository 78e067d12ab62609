#include "collector/walk/range_walk.h"

#include <span>

#include "collector/contents/content_plan.h"
#include "collector/contents/utf8_text.h"
#include "collector/walk/range_end.h"

namespace cairn::collector {

template <unsigned kPointerSize, Heads kHeads>
void RangeWalk<kPointerSize, kHeads>::CountChunk() {
  range_.objects += encoder_.Header().object_count;
  range_.edges += encoder_.References();
}

template <unsigned kPointerSize, Heads kHeads>
inline bool RangeWalk<kPointerSize, kHeads>::Flush(Row& row) {
  row.Close();
  CountChunk();
  const bool flushed = spool_.Flush();
  types_.PutAway();
  row.Open();
  return flushed;
}

// As it is stored: a number with a sign. Most are counts of four bytes.
static inline int64_t LoadValue(uint64_t address, uint32_t bytes) {
  if (bytes == 4) [[likely]]
    return Load<int32_t>(address);
  switch (bytes) {
    case 1:
      return Load<int8_t>(address);
    case 2:
      return Load<int16_t>(address);
    default:
      return Load<int64_t>(address);
  }
}

template <unsigned kPointerSize, Heads kHeads>
inline void RangeWalk<kPointerSize, kHeads>::EncodeValues(const WalkedType& type, uint64_t object) {
  for (const uint32_t packed : std::span(type.value_slots, type.value_slot_count)) {
    const stream::ValueSlot slot = stream::UnpackedValueSlot(packed);
    encoder_.Value(LoadValue(object + slot.offset, slot.bytes));
  }
}

// False: the chunk is full of contents, so this object is its last.
template <unsigned kPointerSize, Heads kHeads>
inline bool RangeWalk<kPointerSize, kHeads>::BeginObject(Row& row, const ObjectView& view) {
  const HotType& type = *view.type;
  row.Object(type.code);
  if (type.contents == KeptContents::kNothing) return true;
  if (type.contents == KeptContents::kValues) {
    EncodeValues(types_.Walked(type), view.address);
    return encoder_.Close(stream::ColumnKind::kValues);
  }
  if (type.contents == KeptContents::kHash) {
    EncodeHash(view.address + type.elements_offset, view.length * type.component_size);
    return true;
  }
  return EncodeContents(type, view.address, view.length);
}

template <unsigned kPointerSize, Heads kHeads>
inline void RangeWalk<kPointerSize, kHeads>::EncodeFixed(Row& row, const ObjectView& view) {
  const HotType& type = *view.type;
  uint64_t* const cells = type.predictor.cells;
  const uint64_t object = view.address;
  const uint32_t* const offsets = type.slots;
  const uint64_t count = type.slot_count;  // at least one
  row.CountSlots(type.slot_count);
  uint64_t i = 0;
  do row.Slot(object, LoadPointer<kPointerSize>(object + offsets[i]), cells[i]);
  while (++i != count);
}

template <unsigned kPointerSize, Heads kHeads>
inline void RangeWalk<kPointerSize, kHeads>::EncodeReferences(Row& row, HotType& type, uint64_t object, uint64_t first,
                                                              uint32_t count) {
  const uint64_t begin = object + type.elements_offset + first * kPointerSize;
  const uint64_t end = begin + uint64_t{count} * kPointerSize;
  uint64_t& last = type.predictor.cells[0];
  row.CountSlots(count);
  for (uint64_t at = begin; at < end; at += kPointerSize) row.Slot(object, LoadPointer<kPointerSize>(at), last);
}

template <unsigned kPointerSize, Heads kHeads>
inline void RangeWalk<kPointerSize, kHeads>::EncodeComponents(Row& row, HotType& type, uint64_t object, uint64_t first,
                                                              uint32_t count) {
  uint64_t* const cells = type.predictor.cells;
  uint64_t component = object + type.elements_offset + first / type.slot_count * type.component_size;
  auto slot = static_cast<uint32_t>(first % type.slot_count);
  row.CountSlots(count);
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t target = LoadPointer<kPointerSize>(component + type.slots[slot]);
    row.Slot(object, target, cells[slot % stream::kMaxPredictorCells]);
    if (++slot == type.slot_count) {
      slot = 0;
      component += type.component_size;
    }
  }
}

// Most arrays are short. False: the chunk has no room for the slots, which are left to EncodeParts.
template <unsigned kPointerSize, Heads kHeads>
inline bool RangeWalk<kPointerSize, kHeads>::EncodeSized(Row& row, const ObjectView& view) {
  row.Length(view.length);
  HotType& type = *view.type;
  if (type.shape == SlotShape::kNone) return true;
  if (type.shape == SlotShape::kDense) {
    if (view.length > row.SlotsLeft()) return false;
    EncodeReferences(row, type, view.address, 0, static_cast<uint32_t>(view.length));
    return true;
  }
  const uint64_t slots = view.length * type.slot_count;
  if (slots > row.SlotsLeft()) return false;
  EncodeComponents(row, type, view.address, 0, static_cast<uint32_t>(slots));
  return true;
}

// False: the spool is full.
template <unsigned kPointerSize, Heads kHeads>
inline bool RangeWalk<kPointerSize, kHeads>::EncodeParts(Row& row, const ObjectView& view) {
  row.EndRun(view.address + view.step);
  row.Close();
  const bool encoded = EncodeSlots(*view.type, view.address, view.length);
  row.Open();
  return encoded;
}

template <unsigned kPointerSize, Heads kHeads>
inline void RangeWalk<kPointerSize, kHeads>::EncodeWide(Row& row, const ObjectView& view) {
  row.Close();
  EncodeManySlots(*view.type, view.address);
  row.Open();
}

// The object in `view` and those after it, as long as the chunk has room for them, up to a Free one. Afterwards `view`
// is what comes next. Tests come in the order of how common is what they ask for.
template <unsigned kPointerSize, Heads kHeads>
inline WalkFault RangeWalk<kPointerSize, kHeads>::EncodeRun(Row& row, ObjectView& view, uint64_t& value) {
  const uint64_t filled = view.address + row.BytesLeft();
  uint64_t end = filled < reader_.Room() ? filled : reader_.Room();
  for (;;) {
    const HotType& type = *view.type;
    if (type.shape == SlotShape::kFixed) {
      CountObject(*view.type, view.step);
      if (!BeginObject(row, view)) [[unlikely]]
        end = 0;
      EncodeFixed(row, view);
    } else if (type.is_free) {
      return WalkFault::kNone;
    } else {
      CountObject(*view.type, view.step);
      if (!BeginObject(row, view)) [[unlikely]]
        end = 0;
      if (type.component_size != 0) {
        if (!EncodeSized(row, view)) [[unlikely]] {
          if (!EncodeParts(row, view)) return WalkFault::kSpoolFull;
          end = 0;
        }
      } else if (type.shape == SlotShape::kWide) {
        EncodeWide(row, view);
      }
    }
    view.address += view.step;
    if (view.address >= end) [[unlikely]]
      return WalkFault::kNone;
    const WalkFault fault = Read(view.address, view, value);
    if (fault != WalkFault::kNone) [[unlikely]]
      return fault;
  }
}

template <unsigned kPointerSize, Heads kHeads>
void RangeWalk<kPointerSize, kHeads>::EncodeHash(uint64_t components, uint64_t bytes) {
  const auto* const data = reinterpret_cast<const uint8_t*>(static_cast<uintptr_t>(components));
  encoder_.Hash(bytes > stream::kMaxHashedBytes ? 0 : ContentHash(data, bytes, plan_->salt));
}

template <unsigned kPointerSize, Heads kHeads>
bool RangeWalk<kPointerSize, kHeads>::EncodeContents(const HotType& hot, uint64_t object, uint64_t length) {
  const WalkedType& type = types_.Walked(hot);
  EncodeValues(type, object);
  AddCode<kPointerSize>(type, object, code_);
  const uint64_t components = object + type.elements_offset;
  if (type.has_hash) EncodeHash(components, length * type.component_size);
  if (type.has_text) {
    const bool cut = length > stream::kMaxTextUnits;
    const auto units = cut ? stream::kMaxTextUnits : static_cast<uint32_t>(length);
    encoder_.Text(
        PutUtf8(reinterpret_cast<const uint8_t*>(static_cast<uintptr_t>(components)), units, encoder_.TextRoom()), cut);
  }
  const bool has_room = encoder_.Close(stream::ColumnKind::kValues);
  return encoder_.Close(stream::ColumnKind::kTexts) && has_room;
}

template <unsigned kPointerSize, Heads kHeads>
WalkFault RangeWalk<kPointerSize, kHeads>::Run(WalkProblem& problem) {
  WalkFault fault = WalkFault::kNone;
  uint64_t at = range_.start, value = 0;
  types_.PutAway();
  Row row(encoder_);
  while (fault == WalkFault::kNone && reader_.HasRoom(at)) {
    ObjectView view;
    fault = Read(at, view, value);
    if (fault != WalkFault::kNone) break;
    if (view.type->is_free) {
      CountObject(*view.type, view.step);
      CountFree(range_, view.step);
      at += view.step;
      continue;
    }
    row.BeginRun(at);
    fault = EncodeRun(row, view, value);
    at = view.address;
    row.EndRun(at);
    if (fault == WalkFault::kNone && row.Full() && !Flush(row)) fault = WalkFault::kSpoolFull;
  }
  if (fault == WalkFault::kNone) fault = reader_.Leave(at, value);
  row.Close();
  if (fault != WalkFault::kSpoolFull) CountChunk();
  return EndRange(spool_, range_, fault, at, value, problem);
}

// Slots that do not fit go on in the next chunks.
template <unsigned kPointerSize, Heads kHeads>
bool RangeWalk<kPointerSize, kHeads>::EncodeSlots(HotType& type, uint64_t object, uint64_t length) {
  const uint64_t slots = length * type.slot_count;
  Row row(encoder_);
  for (uint64_t done = 0; done < slots;) {
    if (done != 0) {
      if (!Flush(row)) return false;
      encoder_.Cells(type.predictor);
      const uint64_t left = slots - done;
      encoder_.Continue(object, types_.WrittenIdOf(type), done,
                        left < stream::kMaxChunkSlots ? static_cast<uint32_t>(left) : stream::kMaxChunkSlots);
    }
    const uint64_t room = row.SlotsLeft();
    const auto count = static_cast<uint32_t>(slots - done < room ? slots - done : room);
    if (type.shape == SlotShape::kDense) {
      EncodeReferences(row, type, object, done, count);
    } else {
      EncodeComponents(row, type, object, done, count);
    }
    done += count;
  }
  row.Close();
  return true;
}

// An object's slots are never parted, however many there are.
template <unsigned kPointerSize, Heads kHeads>
void RangeWalk<kPointerSize, kHeads>::EncodeManySlots(HotType& type, uint64_t object) {
  uint64_t* const cells = type.predictor.cells;
  Row row(encoder_);
  row.CountSlots(type.slot_count);
  for (uint32_t i = 0; i < type.slot_count; ++i) {
    const uint64_t target = LoadPointer<kPointerSize>(object + type.slots[i]);
    row.Slot(object, target, cells[i % stream::kMaxPredictorCells]);
  }
  row.Close();
}

template class RangeWalk<4, Heads::kInMemory>;
template class RangeWalk<8, Heads::kInMemory>;
template class RangeWalk<4, Heads::kLearnt>;
template class RangeWalk<8, Heads::kLearnt>;

}  // namespace cairn::collector
