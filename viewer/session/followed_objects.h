#pragma once
// The reachable objects of a snapshot, carried from one tracked snapshot to the next by what these say of identity
// (snapshot::Tracking), until they are looked for in the last one. Counts nothing as survived but what is certain: the
// place is covered by a certain range as a whole, and an object of the same type and size is there.
// Thread rule: one thread. Memory: 16 bytes an object.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "viewer/session/snapshot_session.h"

namespace cairn::session {

// Reachable objects of one type: in both snapshots; perhaps in both, perhaps died and others came in their place.
// What is in neither number is dead, or new.
struct IdentityCounts {
  uint64_t survived = 0, uncertain = 0;
  bool operator==(const IdentityCounts&) const = default;
};
using TypeKey = std::pair<std::string, std::optional<std::string>>;  // name, module
using IdentityByType = std::map<TypeKey, IdentityCounts>;

// Why objects were not followed from `before` to `after`; empty: they were.
std::string WhyNotFollowed(const snapshot::Summary& before, const snapshot::Summary& after);

class FollowedObjects {
 public:
  // `types`: what to call them, by TypeIndex.
  static Result<FollowedObjects> Of(SnapshotSession& base, std::vector<TypeKey> types, analysis::Work& work);

  // To the next snapshot, which followed them.
  void MoveOn(const snapshot::Tracking& next);
  // In the snapshot that they were moved on to last.
  Result<IdentityByType> FindIn(SnapshotSession& head, const std::vector<TypeKey>& types, analysis::Work& work) const;

 private:
  struct Object {
    uint64_t address = 0;
    uint32_t size = 0;  // cut at its largest value
    uint32_t type : 30 = 0;
    uint32_t frozen : 1 = 0;  // never moves, never dies
    uint32_t unsure : 1 = 0;
  };

  std::vector<TypeKey> types_;
  std::vector<Object> objects_;  // by address
};

}  // namespace cairn::session
