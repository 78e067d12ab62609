#include "viewer/session/suspects.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "viewer/session/dominance.h"
#include "viewer/session/object_sense.h"

namespace cairn::session {
namespace {

// Members per holder from which a group is a pile.
constexpr uint64_t kPile = 10;
// Parts of the reachable heap: what a pile, or one object, must retain to be worth a look.
constexpr uint64_t kPileShare = 100, kSingleShare = 20;

// Suspects whose paths are looked at for what they mean.
constexpr size_t kWithSense = 100;

struct Before {
  uint64_t objects = 0, retained = 0;
};

class SuspectFinder {
 public:
  SuspectFinder(const std::vector<PathGroup>& head, const std::vector<PathGroup>* base, uint64_t reachable_bytes)
      : head_(head), has_base_(base != nullptr), reachable_bytes_(reachable_bytes), heaviest_part_(head.size()) {
    if (base)
      for (const PathGroup& group : *base) before_[group.fingerprint] = {group.objects, group.retained};
    for (const PathGroup& group : head)
      if (group.parent != PathGroup::kNoParent)
        heaviest_part_[group.parent] = std::max(heaviest_part_[group.parent], group.retained);
  }

  std::vector<uint32_t> Find() const {
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < head_.size(); ++i)
      if (head_[i].objects > 0 && (has_base_ ? Grew(i) : IsPile(i) || IsLump(i))) found.push_back(i);
    std::sort(found.begin(), found.end(), [&](uint32_t a, uint32_t b) { return Rank(a) > Rank(b); });
    return found;
  }

 private:
  using Ranking = std::tuple<int64_t, uint64_t, uint32_t>;

  Before BeforeOf(uint32_t group) const {
    const auto at = before_.find(head_[group].fingerprint);
    return at == before_.end() ? Before{} : at->second;
  }

  // A root is one holder.
  uint64_t Holders(uint32_t group) const {
    const uint32_t parent = head_[group].parent;
    return parent == PathGroup::kNoParent ? 1 : std::max<uint64_t>(head_[parent].objects, 1);
  }
  uint64_t HoldersBefore(uint32_t group) const {
    const uint32_t parent = head_[group].parent;
    return parent == PathGroup::kNoParent ? 1 : std::max<uint64_t>(BeforeOf(parent).objects, 1);
  }

  bool IsPile(uint32_t i) const {
    return head_[i].objects / kPile >= Holders(i) && head_[i].retained >= reachable_bytes_ / kPileShare;
  }

  // Few objects that keep much alive, none of their parts most of it.
  bool IsLump(uint32_t i) const {
    return head_[i].objects < kPile && head_[i].retained >= reachable_bytes_ / kSingleShare &&
           heaviest_part_[i] < head_[i].retained / 2;
  }

  // More members, and more for each holder (by a twentieth at least).
  bool Grew(uint32_t i) const {
    const Before before = BeforeOf(i);
    if (head_[i].objects < before.objects + 2 || head_[i].retained <= before.retained) return false;
    const double now = static_cast<double>(head_[i].objects) / static_cast<double>(Holders(i));
    const double then = static_cast<double>(before.objects) / static_cast<double>(HoldersBefore(i));
    return before.objects == 0 ? now >= 2 : now > then * 1.05;
  }

  Ranking Rank(uint32_t i) const {
    const int64_t retained = static_cast<int64_t>(head_[i].retained - (has_base_ ? BeforeOf(i).retained : 0));
    return {retained, head_[i].objects, UINT32_MAX - i};
  }

  const std::vector<PathGroup>& head_;
  const bool has_base_;
  const uint64_t reachable_bytes_;
  std::map<std::string, Before> before_;
  std::vector<uint64_t> heaviest_part_;  // by group: what the heaviest group one step further retains
};

}  // namespace

std::vector<uint32_t> SuspectGroups(const std::vector<PathGroup>& head, const std::vector<PathGroup>* base,
                                    uint64_t reachable_bytes) {
  return SuspectFinder(head, base, reachable_bytes).Find();
}

Result<std::vector<Suspect>> FindSuspects(SnapshotSession& head, const std::vector<PathGroup>* base,
                                          analysis::Work& work) {
  const auto groups = head.PathGroups({}, work);
  if (!groups) return tl::make_unexpected(groups.error());
  const auto dominance = head.Dominators(work);
  if (!dominance) return tl::make_unexpected(dominance.error());
  const uint64_t reachable = (*dominance)->sizes.At((*dominance)->tree, analysis::DominatorTree::kVirtualRoot);
  std::map<std::string, const PathGroup*> before;
  if (base)
    for (const PathGroup& group : *base) before[group.fingerprint] = &group;
  std::vector<Suspect> suspects;
  for (const uint32_t i : SuspectGroups(*groups, base, reachable)) {
    Suspect& suspect = suspects.emplace_back();
    suspect.group = (*groups)[i];
    if (const auto at = before.find(suspect.group.fingerprint); at != before.end()) {
      suspect.objects_before = at->second->objects;
      suspect.retained_before = at->second->retained;
    }
    const ObjectIndex dominator = (*dominance)->tree.DominatorOf(suspect.group.example);
    suspect.accumulation_point = dominator.Valid() ? dominator : suspect.group.example;
    if (suspects.size() > kWithSense) continue;
    auto sense = SenseOf(head, suspect.group.example, work);
    if (!sense) return tl::make_unexpected(std::move(sense).error());
    suspect.sense = std::move(*sense);
  }
  return suspects;
}

}  // namespace cairn::session
