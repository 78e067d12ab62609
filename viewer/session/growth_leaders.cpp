#include "viewer/session/growth_leaders.h"

namespace cairn::session {
namespace {

// What a local refers to directly.
bool IsVariable(std::span<const PathGroup> groups, const PathGroup& group) {
  const bool below_root = group.parent != PathGroup::kNoParent && groups[group.parent].parent == PathGroup::kNoParent;
  return below_root && (group.path == "local" || group.path.starts_with("local "));
}

}  // namespace

std::vector<uint32_t> GrowthLeaders(std::span<const PathGroup> head, std::span<const GroupSize> before,
                                    std::span<const GroupSize> added, const std::vector<bool>& candidates) {
  std::vector<bool> with_variables = candidates;
  for (size_t i = 0; i < head.size(); ++i)
    if (added[i].objects > 0 && IsVariable(head, head[i])) with_variables[i] = true;
  std::vector<uint32_t> leaders = LeadingGrowth(head, before, with_variables);
  std::erase_if(leaders, [&](uint32_t i) { return IsVariable(head, head[i]); });
  return leaders;
}

}  // namespace cairn::session
