#pragma once
// Chunks for the tests of the decoder: encoded with the real encoder, compared object by object.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "snapshot-format/testing/object_encoder.h"

namespace cairn::stream {

using snapshot::testing::ObjectEncoder;
using snapshot::testing::PlacedObject;
using snapshot::testing::SlotTargets;

struct EncodedChunk {
  ChunkHeader header;
  std::vector<uint8_t> column[kColumnCount];

  ChunkColumns Columns() const {
    ChunkColumns columns;
    for (size_t i = 0; i < kColumnCount; ++i) columns.column[i] = column[i];
    return columns;
  }
  std::vector<uint8_t>& Column(ColumnKind kind) { return column[ColumnSlot(kind)]; }
};

struct Heap {
  std::vector<TypeLayout> types;
  std::vector<PlacedObject> objects;
  unsigned unit_shift = 3;
  uint32_t alignment = 8;
};

inline std::vector<EncodedChunk> EncodeHeap(const Heap& heap) {
  std::vector<EncodedChunk> chunks;
  ObjectEncoder encoder(heap.types, heap.unit_shift, [&](const ChunkHeader& header, const ChunkColumns& columns) {
    EncodedChunk& chunk = chunks.emplace_back();
    chunk.header = header;
    for (size_t i = 0; i < kColumnCount; ++i)
      chunk.column[i].assign(columns.column[i].begin(), columns.column[i].end());
  });
  encoder.BeginRange(0);
  for (const PlacedObject& object : heap.objects) encoder.Add(object);
  encoder.EndRange();
  return chunks;
}

// Puts an object behind the last one, `gap` bytes away.
inline PlacedObject& Append(Heap& heap, uint32_t type, uint64_t length = 0, uint64_t explicit_slots = 0,
                            uint64_t gap = 0) {
  const TypeLayout& layout = heap.types.at(type);
  PlacedObject object;
  object.type = type;
  object.address = (heap.objects.empty() ? 0x10000 : heap.objects.back().end) + gap;
  object.length = length;
  object.end = object.address + AlignUp(layout.base_size + layout.component_size * length, heap.alignment);
  object.slots = snapshot::testing::SlotCount(layout, length, explicit_slots);
  heap.objects.push_back(object);
  return heap.objects.back();
}

// Empty where the chunk's slot map tells of every slot what decoding it tells, else what is wrong.
inline std::string CheckSlotMap(const ChunkDecoder& decoder, const EncodedChunk& encoded, uint32_t alignment,
                                const DecodedChunk& chunk) {
  SlotMap map;
  const std::string wrong = decoder.DecodeSlotMap(encoded.header, encoded.Columns(), alignment, map);
  if (!wrong.empty()) return wrong;
  if (map.first_slot != chunk.first_slot) return "the slot map places slots elsewhere";
  for (uint32_t slot = 0; slot < chunk.targets.size(); ++slot)
    if ((map.filled[slot / 64] >> slot % 64 & 1) != (chunk.targets[slot] != 0))
      return "the slot map is wrong at slot " + std::to_string(slot);
  return {};
}

// Decodes all chunks and joins arrays that were cut; empty sentence on success.
inline std::string DecodeHeap(const Heap& heap, const std::vector<EncodedChunk>& chunks,
                              std::vector<PlacedObject>& out) {
  ChunkDecoder decoder(heap.types, heap.unit_shift);
  DecodedChunk chunk;
  for (const EncodedChunk& encoded : chunks) {
    const std::string wrong = decoder.Decode(encoded.header, encoded.Columns(), heap.alignment, chunk);
    if (!wrong.empty()) return wrong;
    const std::string wrong_map = CheckSlotMap(decoder, encoded, heap.alignment, chunk);
    if (!wrong_map.empty()) return wrong_map;
    for (uint32_t slot = 0; slot < encoded.header.continued_slots; ++slot) {
      if (chunk.targets[slot] != 0)
        out.back().targets.emplace_back(encoded.header.continued_slot + slot, chunk.targets[slot]);
    }
    for (size_t i = 0; i < chunk.types.size(); ++i) {
      PlacedObject object{chunk.types[i],   chunk.addresses[i], chunk.addresses[i] + chunk.sizes[i],
                          chunk.lengths[i], chunk.slots[i],     {}};
      for (uint32_t at = chunk.first_slot[i]; at < chunk.first_slot[i + 1]; ++at) {
        if (chunk.targets[at] != 0) object.targets.emplace_back(at - chunk.first_slot[i], chunk.targets[at]);
      }
      out.push_back(std::move(object));
    }
  }
  return {};
}

inline bool Same(const PlacedObject& a, const PlacedObject& b) {
  return a.type == b.type && a.address == b.address && a.end == b.end && a.length == b.length && a.slots == b.slots &&
         a.targets == b.targets;
}

// Empty where `heap` comes back as it was, else what differs.
inline std::string RoundTrip(const Heap& heap) {
  std::vector<PlacedObject> objects;
  const std::string wrong = DecodeHeap(heap, EncodeHeap(heap), objects);
  if (!wrong.empty()) return wrong;
  if (objects.size() != heap.objects.size()) return "another number of objects";
  for (size_t i = 0; i < objects.size(); ++i) {
    if (!Same(objects[i], heap.objects[i])) return "object " + std::to_string(i) + " differs";
  }
  return {};
}

}  // namespace cairn::stream
