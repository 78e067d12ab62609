#include "viewer/session/followed_objects.h"

#include <algorithm>
#include <limits>

#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/reachability.h"

namespace cairn::session {
namespace {

uint32_t CutSize(uint64_t size) {
  return static_cast<uint32_t>(std::min<uint64_t>(size, std::numeric_limits<uint32_t>::max()));
}

const snapshot::IdentityRange* RangeAt(const snapshot::Tracking& tracking, uint64_t address) {
  const auto after =
      std::upper_bound(tracking.ranges.begin(), tracking.ranges.end(), address,
                       [](uint64_t value, const snapshot::IdentityRange& range) { return value < range.from; });
  if (after == tracking.ranges.begin()) return nullptr;
  const snapshot::IdentityRange& range = *(after - 1);
  return address - range.from < range.length ? &range : nullptr;
}

}  // namespace

std::string WhyNotFollowed(const snapshot::Summary& before, const snapshot::Summary& after) {
  if (!after.tracking) return "objects were not followed";
  if (after.tracking->previous.empty()) return "it is the first of its series";
  if (after.tracking->previous != before.capture.id) return "another snapshot came between the two";
  return after.tracking->lost;
}

Result<FollowedObjects> FollowedObjects::Of(SnapshotSession& base, std::vector<TypeKey> types, analysis::Work& work) {
  const auto graph = base.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto reached = base.Reached(work);
  if (!reached) return tl::make_unexpected(reached.error());
  FollowedObjects followed;
  followed.types_ = std::move(types);
  const auto& ranges = base.GetSummary().ranges;
  for (uint32_t range = 0; range < ranges.size(); ++range) {
    const bool frozen = ranges[range].generation == snapshot::Generation::kFrozen;
    (*graph)->ForEachIn(range, [&](ObjectIndex object, uint64_t address, uint64_t bytes) {
      if (!(*reached)->IsReachable(object)) return true;
      const uint32_t type = (*graph)->TypeOf(object).value;
      followed.objects_.push_back({address, CutSize(bytes), type & 0x3FFFFFFF, frozen, 0});
      return true;
    });
  }
  return followed;
}

// What no range covers as a whole is dead, or cannot be told apart from what is.
void FollowedObjects::MoveOn(const snapshot::Tracking& next) {
  std::vector<Object> moved;
  for (Object object : objects_) {
    const snapshot::IdentityRange* range = object.frozen ? nullptr : RangeAt(next, object.address);
    if (range == nullptr && !object.frozen) continue;
    if (range != nullptr) {
      const bool whole = object.size <= range->length - (object.address - range->from);
      object.unsure = object.unsure || !range->certain || !whole;
      object.address = range->to + (object.address - range->from);
    }
    moved.push_back(object);
  }
  objects_ = std::move(moved);
}

Result<IdentityByType> FollowedObjects::FindIn(SnapshotSession& head, const std::vector<TypeKey>& types,
                                               analysis::Work& work) const {
  const auto graph = head.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto reached = head.Reached(work);
  if (!reached) return tl::make_unexpected(reached.error());
  IdentityByType counts;
  for (const Object& object : objects_) {
    const ObjectIndex now = (*graph)->AtAddress(object.address);
    if (!now.Valid() || !(*reached)->IsReachable(now)) continue;
    const TypeKey& key = types[(*graph)->TypeOf(now).value];
    if (key != types_[object.type] || CutSize((*graph)->SizeOf(now)) != object.size) continue;
    IdentityCounts& of_type = counts[key];
    ++(object.unsure ? of_type.uncertain : of_type.survived);
  }
  return counts;
}

}  // namespace cairn::session
