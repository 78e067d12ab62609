#pragma once
// What grows from every snapshot of a series to the next: a leak, where the same work was done between them.
// Thread rule: one thread.

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/session/path_growth.h"

namespace cairn::session {

// One figure per snapshot.
struct GrowingPath {
  std::string fingerprint, path, type;
  std::vector<uint64_t> objects, bytes, retained;
};

class SteadyGrowth {
 public:
  // From one snapshot to the next at least so much must be added to a path that counts: objects, or, where it is not
  // 0, bytes of its objects. In each snapshot one of the objects may be missing: what a stack happens to hold at that
  // moment is reached from there.
  SteadyGrowth(uint64_t least_objects, uint64_t least_bytes)
      : least_objects_(least_objects), least_bytes_(least_bytes) {}

  // The next snapshot; `wanted` by TypeIndex.
  void Add(std::vector<PathGroup> groups, std::vector<std::string> type_names, const std::vector<bool>& wanted);

  size_t Snapshots() const { return series_.size(); }
  // False: nothing has grown from each to the next, so that nothing can any more.
  bool MayGrow() const;
  // The most retained growth first; what another growth carries is left out. At least two snapshots.
  std::vector<GrowingPath> Growing() const;

 private:
  struct Snapshot {
    std::vector<PathGroup> groups;
    std::vector<std::string> type_names;
  };
  // `steps`: how many snapshots lie between the first one and that to which `since_first` leads.
  bool IsEnough(const GroupSize& added, const GroupSize& since_first, uint64_t steps) const;

  uint64_t least_objects_, least_bytes_;
  std::vector<Snapshot> series_;
  std::vector<bool> grew_;  // by group of the last snapshot: from each to the next
};

}  // namespace cairn::session
