#pragma once
// A heap laid out in memory by a test: types, objects, roots; then a source of chunks as a snapshot file is.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "viewer/analysis/chunk_source.h"
#include "viewer/analysis/heap_graph.h"

namespace cairn::analysis::testing {

using snapshot::Generation;
using snapshot::RootKind;
using snapshot::TypeKind;

inline constexpr int64_t kNull = -1;
inline constexpr int64_t kNowhere = -2;  // an address outside every range

class MemoryHeap : public ChunkSource {
 public:
  MemoryHeap();

  // A class of `base_size` bytes with reference fields at `offsets`, named f0, f1, … unless `names` are given.
  uint32_t Class(const std::string& name, uint64_t base_size, std::vector<uint32_t> offsets = {},
                 std::vector<std::string> names = {});
  // An array of base size 24 (16 and the length); each component has references at `element_offsets`.
  uint32_t Array(const std::string& name, uint32_t component_size, std::vector<uint32_t> element_offsets = {},
                 std::vector<std::string> names = {});
  // Objects of `type` get an edge to `allocator`, an object.
  void MakeCollectible(uint32_t type, uint32_t allocator);

  // Objects after this are in a new range.
  void NewRange(Generation generation);
  // Free bytes before the next object.
  void Gap(uint64_t bytes) { gap_ += bytes; }
  // `targets` are objects, also later ones, or kNull, kNowhere; as many as the type has slots.
  uint32_t Object(uint32_t type, std::vector<int64_t> targets = {}, uint64_t length = 0);
  // As Object, but slots are null unless Point sets them, and only those take memory.
  uint32_t SparseArray(uint32_t type, uint64_t length) { return Object(type, {}, length); }
  // Sets a slot later.
  void Point(uint32_t object, uint64_t slot, int64_t target);

  void Root(RootKind kind, uint32_t object, const std::string& name = "", bool certain = true);
  void Dependent(uint32_t primary, uint32_t secondary);

  // Nothing may be added afterwards. Small chunks show what happens at their edges.
  void Finish(uint32_t chunk_objects = 65536, uint32_t chunk_slots = 262144);

  uint64_t AddressOf(uint32_t object) const { return objects_[object].address; }
  uint64_t SizeOf(uint32_t object) const { return objects_[object].size; }
  uint32_t ObjectCount() const { return static_cast<uint32_t>(objects_.size()); }
  uint64_t EdgeCount() const;
  snapshot::Summary& MutableSummary() { return summary_; }

  const snapshot::Summary& GetSummary() const override { return summary_; }
  const std::vector<snapshot::ChunkInfo>& Chunks() const override { return chunks_; }
  Result<std::unique_ptr<ChunkCursor>> NewCursor() const override;

 private:
  friend class MemoryCursor;
  struct Placed {
    uint64_t address = 0, size = 0, length = 0;
    uint64_t first = 0, stored = 0, slots = 0;  // stored: 0 for a sparse array
    uint32_t type = 0, range = 0;
  };

  uint32_t AddType(const std::string& name, snapshot::Type type, const std::vector<std::string>& names);
  uint64_t TargetOf(const Placed& object, uint64_t slot) const;
  void CloseChunk(snapshot::ChunkInfo& open);

  snapshot::Summary summary_;
  std::vector<std::vector<snapshot::Field>> fields_;
  std::vector<Placed> objects_;
  std::vector<int64_t> targets_;
  std::map<std::pair<uint64_t, uint64_t>, int64_t> sparse_;  // (address, slot)
  std::vector<snapshot::ChunkInfo> chunks_;
  uint64_t next_address_ = 0x10000, gap_ = 0;
};

// Builds the graph on two threads; a failure ends the test.
HeapGraph BuildGraph(const MemoryHeap& heap);

}  // namespace cairn::analysis::testing
