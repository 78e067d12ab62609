#pragma once
// What the walk learnt of one type, keyed by MethodTable. Plain data.

#include <cstdint>

#include "snapshot-format/stream/chunk_encoder.h"

namespace cairn::collector {

// Ids are in the order of first sight.
struct WalkedType {
  uint64_t method_table = 0;
  uint64_t exemplar = 0;          // address of one instance, valid only in the pause
  uint64_t loader_allocator = 0;  // set by the caller in the pause for collectible types
  uint64_t class_id = 0;          // the runtime's ClassID where it differs; 0: same as the MethodTable
  uint64_t objects = 0, bytes = 0;
  uint32_t base_size = 0;
  uint32_t component_size = 0;
  uint32_t flags = 0;  // the MethodTable's first word
  bool collectible = false;
  bool is_free = false;         // the Free pseudo type
  bool explicit_slots = false;  // see stream::TypeLayout
  uint32_t written_id = 0;      // the number that chunks hold: the walker's own, or the rank
  uint32_t elements_offset = 0;
  uint32_t fixed_slot_count = 0;
  uint32_t element_slot_count = 0;
  const uint32_t* slots = nullptr;        // fixed_slot_count offsets, or element_slot_count offsets in a component
  const uint32_t* value_slots = nullptr;  // packed stream::ValueSlots, value_slot_count of them
  uint32_t value_slot_count = 0;
  bool has_hash = false, has_text = false;
  uint32_t code[2] = {};  // offsets of addresses of code; 0: none
  stream::SlotPredictor predictor;

  bool HasContents() const { return value_slot_count != 0 || has_hash || has_text; }

  stream::TypeLayout Layout() const {
    stream::TypeLayout layout;
    layout.base_size = base_size;
    layout.component_size = component_size;
    layout.fixed_slots = fixed_slot_count;
    layout.element_slots = element_slot_count;
    layout.explicit_slots = explicit_slots;
    layout.value_slots = value_slot_count;
    layout.has_hash = has_hash;
    layout.has_text = has_text;
    return layout;
  }
};

}  // namespace cairn::collector
