#include "viewer/session/steady_growth.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "viewer/session/growth_leaders.h"

namespace cairn::session {

bool SteadyGrowth::IsEnough(const GroupSize& added, const GroupSize& since_first, uint64_t steps) const {
  const bool grew = added.objects > 0 && since_first.objects + 1 >= steps * least_objects_;
  return grew || (least_bytes_ > 0 && added.bytes >= least_bytes_);
}

void SteadyGrowth::Add(std::vector<PathGroup> groups, std::vector<std::string> type_names,
                       const std::vector<bool>& wanted) {
  Snapshot next{std::move(groups), std::move(type_names)};
  std::vector<bool> grew(next.groups.size());
  if (!series_.empty()) {
    const Snapshot& last = series_.back();
    std::unordered_set<std::string_view> so_far;
    for (size_t i = 0; i < last.groups.size(); ++i)
      if (series_.size() == 1 || grew_[i]) so_far.insert(last.groups[i].fingerprint);
    const Snapshot& first = series_.front();
    const auto added = Added({last.groups, last.type_names}, {next.groups, next.type_names});
    const auto since_first = Added({first.groups, first.type_names}, {next.groups, next.type_names});
    for (size_t i = 0; i < grew.size(); ++i) {
      const PathGroup& group = next.groups[i];
      // What is not in the first snapshot may begin to grow in the second.
      const bool steady = series_.size() == 1 || so_far.contains(group.fingerprint);
      grew[i] = group.objects > 0 && wanted[group.type.value] && steady && IsEnough(added[i], since_first[i], series_.size());
    }
  }
  grew_ = std::move(grew);
  series_.push_back(std::move(next));
}

bool SteadyGrowth::MayGrow() const {
  return series_.size() < 2 || std::find(grew_.begin(), grew_.end(), true) != grew_.end();
}

std::vector<GrowingPath> SteadyGrowth::Growing() const {
  const Snapshot& last = series_.back();
  std::vector<std::vector<GroupSize>> sizes;
  for (const Snapshot& snapshot : series_) sizes.push_back(SizesIn(snapshot.groups, last.groups));
  std::vector<GrowingPath> growing;
  const Snapshot& first = series_.front();
  const auto added = Added({first.groups, first.type_names}, {last.groups, last.type_names});
  for (const uint32_t i : GrowthLeaders(last.groups, sizes.front(), added, grew_)) {
    const PathGroup& group = last.groups[i];
    GrowingPath& path = growing.emplace_back();
    path.fingerprint = group.fingerprint;
    path.path = group.path;
    path.type = last.type_names[group.type.value];
    for (const auto& of_snapshot : sizes) {
      path.objects.push_back(of_snapshot[i].objects);
      path.bytes.push_back(of_snapshot[i].bytes);
      path.retained.push_back(of_snapshot[i].retained);
    }
  }
  const auto growth = [](const GrowingPath& path) {
    return static_cast<int64_t>(path.retained.back() - path.retained.front());
  };
  std::stable_sort(growing.begin(), growing.end(),
                   [&](const GrowingPath& a, const GrowingPath& b) { return growth(a) > growth(b); });
  return growing;
}

}  // namespace cairn::session
