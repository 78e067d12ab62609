#pragma once
// Cuts a sequence of objects into chunks with the real ChunkEncoder, by the rules of chunk.h: for tests
// and benchmarks that have no heap to walk.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "snapshot-format/stream/chunk_decoder.h"
#include "snapshot-format/stream/chunk_encoder.h"

namespace cairn::snapshot::testing {

// (slot, target): the slots that are not null, ascending.
using SlotTargets = std::vector<std::pair<uint64_t, uint64_t>>;

struct PlacedObject {
  uint32_t type = 0;
  uint64_t address = 0;
  uint64_t end = 0;     // alignment included
  uint64_t length = 0;  // components; bytes where the type has explicit slots
  uint64_t slots = 0;
  SlotTargets targets;
  // Contents, as far as the type keeps them; a value that is not given is 0.
  std::vector<int64_t> values = {};
  uint64_t hash = 0;
  std::string text = {};
  bool text_cut = false;
};

// Slots of an object of this layout; `explicit_slots` where the layout does not tell.
uint64_t SlotCount(const stream::TypeLayout& layout, uint64_t length, uint64_t explicit_slots);

class ObjectEncoder {
 public:
  using Sink = std::function<void(const stream::ChunkHeader&, const stream::ChunkColumns&)>;

  // `sink` gets each chunk, valid during the call. `layouts` must outlive the encoder.
  ObjectEncoder(std::span<const stream::TypeLayout> layouts, unsigned unit_shift, Sink sink);

  void BeginRange(uint32_t range);
  void Add(const PlacedObject& object);
  void EndRange();

 private:
  void NextChunk();
  void Emit();
  void AddContents(const PlacedObject& object);
  uint64_t AddSlots(const PlacedObject& object, uint64_t first, uint64_t count);

  std::span<const stream::TypeLayout> layouts_;
  Sink sink_;
  std::vector<std::vector<uint8_t>> buffers_;
  std::vector<std::vector<uint64_t>> cells_;       // per type
  std::vector<stream::SlotPredictor> predictors_;  // per type
  std::vector<stream::ChunkEncoder> encoder_;      // one
  uint32_t range_ = 0;
  uint32_t sequence_ = 0;
};

}  // namespace cairn::snapshot::testing
