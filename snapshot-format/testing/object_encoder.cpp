#include "snapshot-format/testing/object_encoder.h"

#include <algorithm>

namespace cairn::snapshot::testing {

using stream::ChunkEncoder;
using stream::ColumnKind;
using stream::TypeLayout;

uint64_t SlotCount(const TypeLayout& layout, uint64_t length, uint64_t explicit_slots) {
  if (layout.explicit_slots) return explicit_slots;
  return layout.component_size != 0 ? length * layout.element_slots : layout.fixed_slots;
}

ObjectEncoder::ObjectEncoder(std::span<const TypeLayout> layouts, unsigned unit_shift, Sink sink)
    : layouts_(layouts), sink_(std::move(sink)), cells_(layouts.size()), predictors_(layouts.size()) {
  uint8_t* buffers[stream::kColumnCount];
  for (size_t i = 0; i < stream::kColumnCount; ++i) {
    buffers_.emplace_back(ChunkEncoder::kCapacity[i]);
    buffers[i] = buffers_.back().data();
  }
  encoder_.emplace_back(buffers, unit_shift);
  for (size_t i = 0; i < layouts.size(); ++i) {
    cells_[i].resize(PredictorCellCount(layouts[i]));
    predictors_[i].cells = cells_[i].data();
    predictors_[i].cell_count = PredictorCellCount(layouts[i]);
  }
}

void ObjectEncoder::BeginRange(uint32_t range) {
  range_ = range;
  sequence_ = 0;
  encoder_[0].Begin(range_, sequence_++);
}

void ObjectEncoder::Emit() {
  ChunkEncoder& encoder = encoder_[0];
  encoder.End();
  stream::ChunkColumns columns;
  for (const ColumnKind kind : stream::kAllColumns) {
    columns.column[ColumnSlot(kind)] = {encoder.Column(kind), encoder.ColumnSize(kind)};
  }
  sink_(encoder.Header(), columns);
}

void ObjectEncoder::NextChunk() {
  Emit();
  encoder_[0].Begin(range_, sequence_++);
}

void ObjectEncoder::EndRange() {
  const stream::ChunkHeader& header = encoder_[0].Header();
  if (header.object_count != 0 || header.slot_count != 0) Emit();
}

void ObjectEncoder::Add(const PlacedObject& object) {
  ChunkEncoder& encoder = encoder_[0];
  const TypeLayout& layout = layouts_[object.type];
  if (encoder.Full()) NextChunk();
  encoder.Object(object.type, object.address, object.end);
  if (layout.HasLength()) encoder.Length(object.length);
  if (layout.explicit_slots) encoder.Length(object.slots);
  AddContents(object);
  const uint64_t fitting = layout.HasLength() ? std::min<uint64_t>(object.slots, encoder.SlotsLeft()) : object.slots;
  uint64_t done = AddSlots(object, 0, fitting);
  while (done < object.slots) {
    NextChunk();
    const uint64_t next = std::min<uint64_t>(object.slots - done, encoder.SlotsLeft());
    encoder.Continue(object.address, object.type, done, static_cast<uint32_t>(next));
    done += AddSlots(object, done, next);
  }
}

void ObjectEncoder::AddContents(const PlacedObject& object) {
  ChunkEncoder& encoder = encoder_[0];
  const TypeLayout& layout = layouts_[object.type];
  for (size_t i = 0; i < layout.value_slots; ++i) encoder.Value(i < object.values.size() ? object.values[i] : 0);
  if (layout.has_hash) encoder.Hash(object.hash);
  if (layout.has_text) {
    const size_t bytes = std::min<size_t>(object.text.size(), stream::kMaxTextBytes);
    std::copy_n(object.text.begin(), bytes, encoder.TextRoom());
    encoder.Text(static_cast<uint32_t>(bytes), object.text_cut || bytes < object.text.size());
  }
  encoder.Close(ColumnKind::kValues);
  encoder.Close(ColumnKind::kTexts);
}

// Returns `count`.
uint64_t ObjectEncoder::AddSlots(const PlacedObject& object, uint64_t first, uint64_t count) {
  if (count == 0) return 0;
  const TypeLayout& layout = layouts_[object.type];
  const uint64_t component = layout.component_size != 0 ? layout.element_slots : layout.fixed_slots;
  uint64_t* cells = encoder_[0].Cells(predictors_[object.type]);
  auto next = std::ranges::lower_bound(object.targets, first, {}, &SlotTargets::value_type::first);
  for (uint64_t slot = first; slot < first + count; ++slot) {
    const bool set = next != object.targets.end() && next->first == slot;
    const uint64_t within = layout.explicit_slots ? slot : slot % component;
    encoder_[0].Reference(object.address, set ? next->second : 0, cells[within % stream::kMaxPredictorCells]);
    if (set) ++next;
  }
  return count;
}

}  // namespace cairn::snapshot::testing
