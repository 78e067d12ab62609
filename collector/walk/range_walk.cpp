#include "collector/walk/range_walk.h"

#include <span>

#include "collector/contents/content_plan.h"
#include "collector/contents/utf8_text.h"
#include "collector/walk/range_end.h"

namespace cairn::collector {

template <unsigned kPointerSize>
inline bool RangeWalk<kPointerSize>::Flush(Row& row) {
  Close(row);
  const bool flushed = spool_.Flush();
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

template <unsigned kPointerSize>
inline void RangeWalk<kPointerSize>::EncodeValues(const WalkedType& type, uint64_t object) {
  for (const uint32_t packed : std::span(type.value_slots, type.value_slot_count)) {
    const stream::ValueSlot slot = stream::UnpackedValueSlot(packed);
    encoder_.Value(LoadValue(object + slot.offset, slot.bytes));
  }
}

template <unsigned kPointerSize>
inline void RangeWalk<kPointerSize>::BeginObject(Row& row, const ObjectView& view) {
  row.Object(view.type->code, view.address, view.address + view.step);
  const HotType& type = *view.type;
  if (type.contents == KeptContents::kNothing) return;
  if (type.contents == KeptContents::kValues) {
    EncodeValues(types_.Walked(type), view.address);
    return encoder_.CloseContents();
  }
  if (type.contents == KeptContents::kMore) return EncodeContents(type, view.address, view.length);
  encoder_.Hash(HashOf(view.address + type.elements_offset, view.length * type.component_size));
}

template <unsigned kPointerSize>
inline void RangeWalk<kPointerSize>::EncodeFixed(Row& row, const ObjectView& view) {
  HotType& type = *view.type;
  uint64_t* const cells = encoder_.Cells(type.predictor);
  const uint64_t object = view.address;
  const uint32_t* const offsets = type.slots;
  const uint32_t count = type.slot_count;
  row.CountSlots(count);
  for (uint32_t i = 0; i < count; ++i) row.Slot(object, LoadPointer<kPointerSize>(object + offsets[i]), cells[i]);
}

template <unsigned kPointerSize>
inline void RangeWalk<kPointerSize>::EncodeReferences(Row& row, HotType& type, uint64_t object, uint64_t first,
                                                      uint32_t count) {
  const uint64_t begin = object + type.elements_offset + first * kPointerSize;
  const uint64_t end = begin + uint64_t{count} * kPointerSize;
  uint64_t& last = encoder_.Cells(type.predictor)[0];
  row.CountSlots(count);
  for (uint64_t at = begin; at < end; at += kPointerSize) row.Slot(object, LoadPointer<kPointerSize>(at), last);
}

template <unsigned kPointerSize>
inline void RangeWalk<kPointerSize>::EncodeComponents(Row& row, HotType& type, uint64_t object, uint64_t first,
                                                      uint32_t count) {
  uint64_t* const cells = encoder_.Cells(type.predictor);
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

// Most arrays are short. What a chunk cannot hold is left to EncodeSlots.
template <unsigned kPointerSize>
inline bool RangeWalk<kPointerSize>::EncodeSized(Row& row, const ObjectView& view) {
  row.Length(view.length);
  HotType& type = *view.type;
  if (type.shape == SlotShape::kNone) return true;
  if (type.shape == SlotShape::kDense && view.length <= row.SlotsLeft()) {
    EncodeReferences(row, type, view.address, 0, static_cast<uint32_t>(view.length));
    return true;
  }
  const uint64_t slots = view.length * type.slot_count;
  if (type.shape == SlotShape::kComponents && slots <= row.SlotsLeft()) {
    EncodeComponents(row, type, view.address, 0, static_cast<uint32_t>(slots));
    return true;
  }
  Close(row);
  const bool encoded = EncodeSlots(type, view.address, view.length);
  row.Open();
  return encoded;
}

template <unsigned kPointerSize>
inline void RangeWalk<kPointerSize>::EncodeWide(Row& row, const ObjectView& view) {
  Close(row);
  EncodeManySlots(*view.type, view.address);
  row.Open();
}

// Tests come in the order of how common is what they ask for.
template <unsigned kPointerSize>
inline bool RangeWalk<kPointerSize>::Encode(Row& row, const ObjectView& view) {
  HotType& type = *view.type;
  if (type.shape == SlotShape::kFixed) {
    BeginObject(row, view);
    EncodeFixed(row, view);
  } else if (type.is_free) {
    CountFree(range_, view.step);
    return true;
  } else {
    BeginObject(row, view);
    if (type.component_size != 0 && !EncodeSized(row, view)) return false;
    if (type.shape == SlotShape::kWide) EncodeWide(row, view);
  }
  return !row.Full() || Flush(row);
}

template <unsigned kPointerSize>
uint64_t RangeWalk<kPointerSize>::HashOf(uint64_t components, uint64_t bytes) const {
  if (bytes > stream::kMaxHashedBytes) return 0;
  return ContentHash(reinterpret_cast<const uint8_t*>(static_cast<uintptr_t>(components)), bytes, plan_->salt);
}

template <unsigned kPointerSize>
void RangeWalk<kPointerSize>::EncodeContents(const HotType& hot, uint64_t object, uint64_t length) {
  const WalkedType& type = types_.Walked(hot);
  EncodeValues(type, object);
  AddCode<kPointerSize>(type, object, code_);
  const uint64_t components = object + type.elements_offset;
  if (type.has_hash) encoder_.Hash(HashOf(components, length * type.component_size));
  if (type.has_text) {
    const bool cut = length > stream::kMaxTextUnits;
    const auto units = cut ? stream::kMaxTextUnits : static_cast<uint32_t>(length);
    encoder_.Text(
        PutUtf8(reinterpret_cast<const uint8_t*>(static_cast<uintptr_t>(components)), units, encoder_.TextRoom()), cut);
  }
  encoder_.CloseContents();
}

template <unsigned kPointerSize>
WalkFault RangeWalk<kPointerSize>::Run(WalkProblem& problem) {
  uint64_t at = range_.start, value = 0;
  WalkFault fault = WalkFault::kNone;
  Row row(encoder_);
  while (reader_.HasRoom(at)) {
    ObjectView view;
    fault = reader_.Read(at, view, value);
    if (fault != WalkFault::kNone) [[unlikely]]
      break;
    ++view.type->objects;
    view.type->bytes += view.step;
    if (!Encode(row, view)) [[unlikely]] {
      fault = WalkFault::kSpoolFull;
      break;
    }
    at += view.step;
  }
  if (fault == WalkFault::kNone) fault = reader_.Leave(at, value);
  Close(row);
  return EndRange(spool_, range_, fault, at, value, problem);
}

// Slots that do not fit go on in the next chunks.
template <unsigned kPointerSize>
bool RangeWalk<kPointerSize>::EncodeSlots(HotType& type, uint64_t object, uint64_t length) {
  const uint64_t slots = length * type.slot_count;
  Row row(encoder_);
  for (uint64_t done = 0; done < slots;) {
    if (done != 0) {
      if (!Flush(row)) return false;
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
  Close(row);
  return true;
}

// An object's slots are never parted, however many there are.
template <unsigned kPointerSize>
void RangeWalk<kPointerSize>::EncodeManySlots(HotType& type, uint64_t object) {
  uint64_t* const cells = encoder_.Cells(type.predictor);
  Row row(encoder_);
  row.CountSlots(type.slot_count);
  for (uint32_t i = 0; i < type.slot_count; ++i) {
    const uint64_t target = LoadPointer<kPointerSize>(object + type.slots[i]);
    row.Slot(object, target, cells[i % stream::kMaxPredictorCells]);
  }
  Close(row);
}

template class RangeWalk<4>;
template class RangeWalk<8>;

}  // namespace cairn::collector
