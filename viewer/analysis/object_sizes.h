#pragma once
// What each object occupies, almost for free: objects of fixed size have their type's, others end where the
// next one starts, and the few that are followed by something else are listed.
// Thread rule: fill first; then reads from any thread.

#include <cstdint>
#include <span>
#include <vector>

#include "snapshot-format/file/model.h"
#include "viewer/analysis/flat_array.h"
#include "viewer/analysis/indices.h"
#include "viewer/analysis/object_map.h"

namespace cairn::analysis {

class ArrayList;
class ArrayTaker;

// An object of variable size that is not followed by another one.
struct ListedSize {
  uint32_t object = 0;
  uint64_t bytes = 0;
};

class ObjectSizes {
 public:
  ObjectSizes() = default;
  ObjectSizes(std::span<const snapshot::Type> types, std::span<const snapshot::Range> ranges);

  // In the order of objects.
  void List(std::span<const ListedSize> sizes) { listed_.insert(listed_.end(), sizes.begin(), sizes.end()); }

  void Save(ArrayList& out) const;
  [[nodiscard]] bool Take(ArrayTaker& from);

  bool IsVariable(uint32_t type) const { return fixed_[type] == kVariable; }
  uint64_t SizeOf(ObjectIndex object, uint32_t type, const ObjectMap& map) const;

  // Calls visit(object, bytes) for the objects of one range in order, until it returns false.
  template <class Visit>
  bool ForEachIn(uint32_t range, const ObjectMap& map, const uint32_t* types, Visit visit) const {
    return ForEachPlaced(range, map, types,
                         [&](ObjectIndex object, uint64_t, uint64_t bytes) { return visit(object, bytes); });
  }

  // The same as visit(object, address, bytes).
  template <class Visit>
  bool ForEachPlaced(uint32_t range, const ObjectMap& map, const uint32_t* types, Visit visit) const {
    ObjectIndex waiting;  // of variable size: known when the next one is seen
    uint64_t waiting_since = 0;
    size_t listed = FirstListed(map.FirstOf(range));
    return map.ForEachIn(range, [&](ObjectIndex object, uint64_t address) {
      if (waiting.Valid() && !visit(waiting, waiting_since, address - waiting_since)) return false;
      waiting = {};
      const uint32_t type = types[object.value];
      if (!IsVariable(type)) return visit(object, address, Fixed(type, alignments_[range]));
      if (listed < listed_.size() && listed_[listed].object == object.value)
        return visit(object, address, listed_[listed++].bytes);
      waiting = object;
      waiting_since = address;
      return true;
    });
  }

 private:
  static constexpr uint64_t kVariable = ~uint64_t{0};

  uint64_t Fixed(uint32_t type, uint32_t alignment) const {
    return (fixed_[type] + alignment - 1) & ~uint64_t{alignment - 1};
  }
  size_t FirstListed(ObjectIndex object) const;

  std::vector<uint64_t> fixed_;       // per type
  std::vector<uint32_t> alignments_;  // per range
  uint32_t one_alignment_ = 0;        // of all ranges; 0 when they differ
  std::vector<ListedSize> listed_;
};

}  // namespace cairn::analysis
