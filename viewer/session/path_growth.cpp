#include "viewer/session/path_growth.h"

#include <string_view>
#include <unordered_map>

namespace cairn::session {
namespace {

class GrowthLeaders {
 public:
  GrowthLeaders(std::span<const PathGroup> head, std::span<const GroupSize> before, const std::vector<bool>& candidates)
      : head_(head), before_(before), candidates_(candidates), covered_(head.size()) {}

  std::vector<uint32_t> Find() {
    std::vector<uint32_t> leaders;
    // Parents come first, so that whether a holder is covered is known.
    for (uint32_t i = 0; i < head_.size(); ++i) {
      const bool carried = IsCarried(i);
      covered_[i] = carried || candidates_[i];
      if (candidates_[i] && !carried) leaders.push_back(i);
    }
    return leaders;
  }

 private:
  bool IsCarried(uint32_t group) const {
    const uint32_t holder = head_[group].parent;
    if (holder == PathGroup::kNoParent || !covered_[holder]) return false;
    const double now = PerHolder(head_[group].objects, head_[holder].objects);
    const double then = PerHolder(before_[group].objects, before_[holder].objects);
    return before_[holder].objects == 0 || now <= then * 1.05;
  }
  static double PerHolder(uint64_t objects, uint64_t holders) {
    return holders == 0 ? 0 : static_cast<double>(objects) / static_cast<double>(holders);
  }

  std::span<const PathGroup> head_;
  std::span<const GroupSize> before_;
  const std::vector<bool>& candidates_;
  std::vector<bool> covered_;  // candidates, and what hangs on them in proportion
};

uint64_t Without(uint64_t from, uint64_t what) { return from > what ? from - what : 0; }
GroupSize Without(const GroupSize& from, const GroupSize& what) {
  return {Without(from.objects, what.objects), Without(from.bytes, what.bytes), Without(from.retained, what.retained)};
}

// Its path begins at a local of a method that is running.
bool IsOfLocal(const PathGroup& group) { return group.path == "local" || group.path.starts_with("local "); }

// By type: what the groups of locals lost, and what the others lost.
struct Lost {
  GroupSize of_locals, of_others;
};

std::unordered_map<std::string_view, Lost> LostByType(const NamedGroups& base, std::span<const PathGroup> head) {
  const std::vector<GroupSize> now = SizesIn(head, base.groups);
  std::unordered_map<std::string_view, Lost> lost;
  for (size_t i = 0; i < now.size(); ++i) {
    const PathGroup& group = base.groups[i];
    if (group.objects == 0) continue;
    Lost& of_type = lost[base.type_names[group.type.value]];
    (IsOfLocal(group) ? of_type.of_locals : of_type.of_others) +=
        Without({group.objects, group.bytes, group.retained}, now[i]);
  }
  return lost;
}

}  // namespace

std::vector<GroupSize> Added(const NamedGroups& base, const NamedGroups& head) {
  const auto lost = LostByType(base, head.groups);
  std::vector<GroupSize> added = SizesIn(base.groups, head.groups);
  for (size_t i = 0; i < added.size(); ++i) {
    const PathGroup& group = head.groups[i];
    added[i] = Without({group.objects, group.bytes, group.retained}, added[i]);
    if (group.objects == 0) continue;
    const auto at = lost.find(head.type_names[group.type.value]);
    if (at == lost.end()) continue;
    added[i] = Without(added[i], at->second.of_locals);
    if (IsOfLocal(group)) added[i] = Without(added[i], at->second.of_others);
  }
  return added;
}

std::vector<GroupSize> SizesIn(std::span<const PathGroup> base, std::span<const PathGroup> head) {
  std::unordered_map<std::string_view, GroupSize> known;
  for (const PathGroup& group : base) known[group.fingerprint] = {group.objects, group.bytes, group.retained};
  std::vector<GroupSize> sizes(head.size());
  for (size_t i = 0; i < head.size(); ++i)
    if (const auto at = known.find(head[i].fingerprint); at != known.end()) sizes[i] = at->second;
  return sizes;
}

std::vector<uint32_t> LeadingGrowth(std::span<const PathGroup> head, std::span<const GroupSize> before,
                                    const std::vector<bool>& candidates) {
  return GrowthLeaders(head, before, candidates).Find();
}

std::vector<uint32_t> Topmost(std::span<const PathGroup> groups, const std::vector<bool>& candidates) {
  // Before there was nothing, so that every holder explains what hangs below it.
  const std::vector<GroupSize> nothing(groups.size());
  return LeadingGrowth(groups, nothing, candidates);
}

}  // namespace cairn::session
