#include "collector/walk/range_walk.h"

#include "collector/contents/content_plan.h"
#include "collector/contents/utf8_text.h"
#include "collector/walk/range_end.h"

namespace cairn::collector {

template <unsigned kPointerSize>
inline void RangeWalk<kPointerSize>::EncodeFixed(const ObjectView& view) {
  HotType& type = *view.type;
  uint64_t* const cells = encoder_.Cells(type.predictor);
  const uint64_t object = view.address;
  const uint32_t* const offsets = type.slots;
  const uint32_t count = type.slot_count;
  Slots slots(encoder_);
  for (uint32_t i = 0, cell = 0; i < count; ++i) {
    slots.Put(object, LoadPointer<kPointerSize>(object + offsets[i]), cells[cell]);
    if (++cell == stream::kMaxPredictorCells) [[unlikely]]
      cell = 0;
  }
  range_.edges += slots.End(count);
}

template <unsigned kPointerSize>
inline bool RangeWalk<kPointerSize>::Encode(const ObjectView& view) {
  HotType& type = *view.type;
  ++type.objects;
  type.bytes += view.step;
  ++range_.objects;
  encoder_.Object(type.code, view.address, view.address + view.step);
  if (type.has_contents) EncodeContents(view);
  if (type.component_size != 0) {
    encoder_.Length(view.length);
    if (type.shape != SlotShape::kNone && !EncodeArray(view)) return false;
  } else if (type.shape == SlotShape::kFixed) {
    EncodeFixed(view);
  }
  return !encoder_.Full() || spool_.Flush();
}

// As it is stored: a number with a sign.
static int64_t LoadValue(uint64_t address, uint32_t bytes) {
  switch (bytes) {
    case 1:
      return Load<int8_t>(address);
    case 2:
      return Load<int16_t>(address);
    case 4:
      return Load<int32_t>(address);
    default:
      return Load<int64_t>(address);
  }
}

template <unsigned kPointerSize>
void RangeWalk<kPointerSize>::EncodeContents(ObjectView view) {
  const WalkedType& type = types_.Walked(*view.type);
  for (uint32_t i = 0; i < type.value_slot_count; ++i) {
    const stream::ValueSlot slot = stream::UnpackedValueSlot(type.value_slots[i]);
    encoder_.Value(LoadValue(view.address + slot.offset, slot.bytes));
  }
  AddCode<kPointerSize>(type, view.address, code_);
  const auto* const components =
      reinterpret_cast<const uint8_t*>(static_cast<uintptr_t>(view.address + type.elements_offset));
  if (type.has_hash) {
    const uint64_t bytes = view.length * type.component_size;
    encoder_.Hash(bytes <= stream::kMaxHashedBytes ? ContentHash(components, bytes, plan_->salt) : 0);
  }
  if (type.has_text) {
    const bool cut = view.length > stream::kMaxTextUnits;
    const auto units = cut ? stream::kMaxTextUnits : static_cast<uint32_t>(view.length);
    encoder_.Text(PutUtf8(components, units, encoder_.TextRoom()), cut);
  }
  encoder_.CloseContents();
}

template <unsigned kPointerSize>
WalkFault RangeWalk<kPointerSize>::Run(WalkProblem& problem) {
  const uint64_t end = range_.start + range_.length;
  uint64_t at = range_.start;
  ObjectView view;
  while (at < end) {
    uint64_t value = 0;
    if (const WalkFault fault = reader_.Read(at, view, value); fault != WalkFault::kNone) [[unlikely]] {
      return EndRange(spool_, range_, fault, at, value, problem);
    }
    if (view.type->is_free) {
      ++view.type->objects;
      view.type->bytes += view.step;
      CountFree(range_, view.step);
    } else if (!Encode(view)) [[unlikely]] {
      return EndRange(spool_, range_, WalkFault::kSpoolFull, at, 0, problem);
    }
    at += view.step;
  }
  return EndRange(spool_, range_, WalkFault::kNone, at, 0, problem);
}

// Slots that do not fit go on in the next chunks.
template <unsigned kPointerSize>
bool RangeWalk<kPointerSize>::EncodeArray(ObjectView view) {
  const HotType& type = *view.type;
  const uint64_t slots = view.length * type.slot_count;
  for (uint64_t done = 0; done < slots;) {
    if (done != 0) {
      if (!spool_.Flush()) return false;
      const uint64_t left = slots - done;
      encoder_.Continue(view.address, types_.WrittenIdOf(type), done,
                        left < stream::kMaxChunkSlots ? static_cast<uint32_t>(left) : stream::kMaxChunkSlots);
    }
    const uint64_t room = encoder_.SlotsLeft();
    const auto count = static_cast<uint32_t>(slots - done < room ? slots - done : room);
    if (type.shape == SlotShape::kDense) {
      EncodeReferences(view, done, count);
    } else {
      EncodeComponents(view, done, count);
    }
    done += count;
  }
  return true;
}

template <unsigned kPointerSize>
void RangeWalk<kPointerSize>::EncodeReferences(const ObjectView& view, uint64_t first, uint32_t count) {
  HotType& type = *view.type;
  const uint64_t begin = view.address + type.base_size - kPointerSize + first * kPointerSize;
  const uint64_t end = begin + uint64_t{count} * kPointerSize;
  uint64_t& last = encoder_.Cells(type.predictor)[0];
  Slots slots(encoder_);
  for (uint64_t at = begin; at < end; at += kPointerSize) {
    const uint64_t target = LoadPointer<kPointerSize>(at);
    slots.Put(view.address, target, last);
  }
  range_.edges += slots.End(count);
}

template <unsigned kPointerSize>
void RangeWalk<kPointerSize>::EncodeComponents(const ObjectView& view, uint64_t first, uint32_t count) {
  HotType& type = *view.type;
  uint64_t* const cells = encoder_.Cells(type.predictor);
  uint64_t component = view.address + type.base_size - kPointerSize + first / type.slot_count * type.component_size;
  auto slot = static_cast<uint32_t>(first % type.slot_count);
  Slots slots(encoder_);
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t target = LoadPointer<kPointerSize>(component + type.slots[slot]);
    slots.Put(view.address, target, cells[slot % stream::kMaxPredictorCells]);
    if (++slot == type.slot_count) {
      slot = 0;
      component += type.component_size;
    }
  }
  range_.edges += slots.End(count);
}

template class RangeWalk<4>;
template class RangeWalk<8>;

}  // namespace cairn::collector
