#include "viewer/analysis/root_list.h"

#include <algorithm>
#include <tuple>

namespace cairn::analysis {
namespace {

ObjectIndex Resolve(const snapshot::Root& root, const ObjectMap& map, const ObjectSizes& sizes, const uint32_t* types) {
  if (const ObjectIndex object = map.StartingAt(root.object); object.Valid() || !root.interior) return object;
  const ObjectIndex around = map.StartingAtOrBefore(root.object);
  if (!around.Valid()) return {};
  const uint64_t inside = root.object - map.AddressOf(around);
  return inside < sizes.SizeOf(around, types[around.value], map) ? around : ObjectIndex();
}

// Addresses come last: they differ between two snapshots of the same state.
class ContractOrder {
 public:
  ContractOrder(const snapshot::Summary& summary, const uint32_t* types) : summary_(summary), types_(types) {}

  bool operator()(const ResolvedRoot& a, const ResolvedRoot& b) const { return Key(a) < Key(b); }

 private:
  std::tuple<snapshot::RootKind, const std::string&, const std::string&, uint64_t, ObjectIndex> Key(
      const ResolvedRoot& root) const {
    const std::string& type = summary_.types[types_[root.object.value]].name;
    if (root.source == snapshot::kNoId) return {root.kind, kNoName, type, 0, root.object};
    const snapshot::Root& source = summary_.roots[root.source];
    return {root.kind, source.name, type, source.source, root.object};
  }

  inline static const std::string kNoName;
  const snapshot::Summary& summary_;
  const uint32_t* types_;
};

}  // namespace

RootList::RootList(const snapshot::Summary& summary, const ObjectMap& map, const ObjectSizes& sizes,
                   const uint32_t* types) {
  for (uint32_t i = 0; i < summary.roots.size(); ++i) {
    const snapshot::Root& root = summary.roots[i];
    if (root.object == 0) continue;
    const ObjectIndex object = Resolve(root, map, sizes, types);
    if (!object.Valid()) {
      ++unresolved_;
    } else {
      (root.kind == snapshot::RootKind::kHandleWeak ? weak_ : followed_).push_back({root.kind, object, i});
    }
  }
  std::stable_sort(followed_.begin(), followed_.end(), ContractOrder(summary, types));
  std::stable_sort(weak_.begin(), weak_.end(), ContractOrder(summary, types));
  AddFrozen(summary, map);
}

// In address order, which costs no sort; before the roots of kind "other".
void RootList::AddFrozen(const snapshot::Summary& summary, const ObjectMap& map) {
  std::vector<ResolvedRoot> frozen;
  for (uint32_t range = 0; range < map.RangeCount(); ++range) {
    if (summary.ranges[range].generation != snapshot::Generation::kFrozen) continue;
    for (uint32_t i = map.FirstOf(range).value; i < map.FirstOf(range + 1).value; ++i)
      frozen.push_back({snapshot::RootKind::kFrozen, ObjectIndex(i), snapshot::kNoId});
  }
  const auto place = std::find_if(followed_.begin(), followed_.end(),
                                  [](const ResolvedRoot& root) { return root.kind > snapshot::RootKind::kFrozen; });
  followed_.insert(place, frozen.begin(), frozen.end());
}

}  // namespace cairn::analysis
