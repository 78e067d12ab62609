#pragma once
// The roots of a graph in the contract's order: kinds, then names, then slots. Every frozen object is one.
// Thread rule: built once; then reads from any thread.

#include <cstdint>
#include <span>
#include <vector>

#include "snapshot-format/file/model.h"
#include "viewer/analysis/indices.h"
#include "viewer/analysis/object_map.h"
#include "viewer/analysis/object_sizes.h"

namespace cairn::analysis {

struct ResolvedRoot {
  snapshot::RootKind kind{};
  ObjectIndex object;
  uint32_t source = snapshot::kNoId;  // index into Summary::roots; none for an object of the NonGC heap
};

// False for a local that a conservative stack scan took for one.
inline bool IsCertain(const snapshot::Summary& summary, const ResolvedRoot& root) {
  return root.source == snapshot::kNoId || summary.roots[root.source].certain;
}

class RootList {
 public:
  RootList() = default;
  // `types` is the type of each object.
  RootList(const snapshot::Summary& summary, const ObjectMap& map, const ObjectSizes& sizes, const uint32_t* types);

  // The strong ones, by RootIndex.
  std::span<const ResolvedRoot> Followed() const { return followed_; }
  // Listed, never followed.
  std::span<const ResolvedRoot> Weak() const { return weak_; }
  // Roots whose address is no object of the snapshot.
  uint64_t Unresolved() const { return unresolved_; }

 private:
  void AddFrozen(const snapshot::Summary& summary, const ObjectMap& map);

  std::vector<ResolvedRoot> followed_, weak_;
  uint64_t unresolved_ = 0;
};

}  // namespace cairn::analysis
