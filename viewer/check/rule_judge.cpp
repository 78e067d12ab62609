#include "viewer/check/rule_judge.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "viewer/analysis/heap_graph.h"
#include "viewer/session/disposed.h"
#include "viewer/session/growth_leaders.h"

namespace cairn::check {
namespace {

using session::GroupSize;
using session::PathGroup;

constexpr std::string_view kLoaderAllocator = "System.Reflection.LoaderAllocator";

GroupSize SizeOf(const PathGroup& group) { return {group.objects, group.bytes, group.retained}; }

uint64_t Added(uint64_t before, uint64_t now) { return now > before ? now - before : 0; }
GroupSize Added(const GroupSize& before, const GroupSize& now) {
  return {Added(before.objects, now.objects), Added(before.bytes, now.bytes), Added(before.retained, now.retained)};
}

std::vector<Excess> ExcessesOf(const Rule& rule, const GroupSize& size) {
  std::vector<Excess> excesses;
  const auto add = [&](Measure measure, uint64_t value, const std::optional<uint64_t>& allowed) {
    if (allowed && value > *allowed) excesses.push_back({measure, value, *allowed});
  };
  add(Measure::kObjects, size.objects, rule.max_objects);
  add(Measure::kBytes, size.bytes, rule.max_bytes);
  add(Measure::kRetained, size.retained, rule.max_retained);
  return excesses;
}

}  // namespace

RuleJudge::RuleJudge(const Case& facts, Verdict& verdict)
    : facts_(facts), verdict_(verdict), excuses_(facts.policy, facts.names) {}

std::vector<bool> RuleJudge::TypesOf(const Rule& rule, const std::vector<std::string>& names) const {
  return rule.types ? rule.types->select(names) : std::vector<bool>(names.size(), true);
}

Status RuleJudge::Run(size_t index) {
  const Rule& rule = At(index);
  switch (rule.kind) {
    case RuleKind::kLimit:
      return JudgeLimit(index, TypesOf(rule, facts_.names));
    case RuleKind::kCollectibleContexts: {
      std::vector<bool> types(facts_.names.size());
      for (size_t i = 0; i < types.size(); ++i) types[i] = facts_.names[i] == kLoaderAllocator;
      return JudgeLimit(index, types);
    }
    case RuleKind::kNoGrowth:
      rule.by_type ? JudgeGrowthOfTypes(index) : JudgeGrowthOfPaths(index);
      return {};
    case RuleKind::kHeldOnlyBy:
      return JudgeHeldOnlyBy(index);
    case RuleKind::kDisposed:
      return JudgeDisposed(index);
  }
  return {};
}

Violation RuleJudge::ViolationOf(size_t rule, const PathGroup& group) const {
  Violation violation;
  violation.rule = rule;
  violation.type = facts_.names[group.type.value];
  violation.fingerprint = group.fingerprint;
  violation.path = group.path;
  violation.covered = {Covered(group)};
  violation.now = SizeOf(group);
  violation.example = group.example;
  violation.outgrown = excuses_.Outgrown(At(rule), group);
  if (const auto expired = excuses_.Expired(At(rule), group)) violation.expired = facts_.policy.rules.ignores[*expired];
  return violation;
}

CoveredPath RuleJudge::Covered(const PathGroup& group) const {
  return {facts_.names[group.type.value], group.fingerprint, group.path, {group.objects, group.retained}};
}

// A leak is told once, however many rules it does not count for.
void RuleJudge::Pass(size_t rule, const PathGroup& group, const Excuse& excuse) {
  const std::string section = SectionOf(At(rule));
  const auto [at, added] =
      passed_.try_emplace({section, group.fingerprint, excuse.reason, excuse.kind}, verdict_.excused.size());
  if (!added) {
    auto& others = verdict_.excused[at->second].other_rules;
    if (std::find(others.begin(), others.end(), rule) == others.end()) others.push_back(rule);
    return;
  }
  verdict_.excused.push_back({rule,
                              excuse.kind,
                              facts_.names[group.type.value],
                              group.fingerprint,
                              group.path,
                              excuse.reason,
                              group.objects,
                              group.retained,
                              section,
                              {}});
}

// ---- limits: over all objects that the rule means, together ----

Result<GroupSize> RuleJudge::Sum(const std::vector<uint32_t>& groups, bool with_retained, bool is_everything,
                                 const std::vector<bool>& types) {
  GroupSize sum;
  std::set<std::string> fingerprints;
  for (const uint32_t i : groups) {
    sum.objects += facts_.groups[i].objects;
    sum.bytes += facts_.groups[i].bytes;
    fingerprints.insert(facts_.groups[i].fingerprint);
  }
  if (!with_retained) return sum;
  if (!is_everything)
    return facts_.head.RetainedByPaths(fingerprints, facts_.work).map([&](uint64_t retained) {
      sum.retained = retained;
      return sum;
    });
  std::vector<uint32_t> group_of_type(types.size(), session::kNoGroup);
  for (size_t i = 0; i < types.size(); ++i)
    if (types[i]) group_of_type[i] = 0;
  return facts_.head.Totals(group_of_type, 1, facts_.work).map([&](const std::vector<session::GroupTotals>& totals) {
    sum.retained = totals[0].retained;
    return sum;
  });
}

Result<std::vector<uint32_t>> RuleJudge::Counted(size_t index, const std::vector<bool>& types) {
  std::vector<uint32_t> counted, all;
  std::vector<std::pair<uint32_t, Excuse>> excused;
  for (uint32_t i = 0; i < facts_.groups.size(); ++i) {
    const PathGroup& group = facts_.groups[i];
    if (group.objects == 0 || !types[group.type.value]) continue;
    all.push_back(i);
    if (auto excuse = excuses_.For(At(index), group))
      excused.emplace_back(i, std::move(*excuse));
    else
      counted.push_back(i);
  }
  // What the limit would let pass anyway needs no excuse.
  const auto whole = Sum(all, At(index).max_retained.has_value(), true, types);
  if (!whole) return tl::make_unexpected(whole.error());
  if (ExcessesOf(At(index), *whole).empty()) return std::vector<uint32_t>();
  for (const auto& [group, excuse] : excused) Pass(index, facts_.groups[group], excuse);
  return counted;
}

Status RuleJudge::JudgeLimit(size_t index, const std::vector<bool>& types) {
  const auto counted = Counted(index, types);
  if (!counted) return tl::make_unexpected(counted.error());
  const auto sum = Sum(*counted, At(index).max_retained.has_value(), false, types);
  if (!sum) return tl::make_unexpected(sum.error());
  auto excesses = ExcessesOf(At(index), *sum);
  if (excesses.empty()) return {};
  Violation violation = ViolationOfAll(index, *counted);
  violation.now.objects = sum->objects;
  violation.now.bytes = sum->bytes;
  if (At(index).max_retained) violation.now.retained = sum->retained;
  violation.excesses = std::move(excesses);
  if (At(index).kind == RuleKind::kCollectibleContexts) violation.assemblies = AssembliesOf(violation.example);
  verdict_.violations.push_back(std::move(violation));
  return {};
}

// Of the heaviest of them; a limit that is passed has members, so that there is one.
Violation RuleJudge::ViolationOfAll(size_t index, const std::vector<uint32_t>& counted) const {
  const Groups& groups = facts_.groups;
  const uint32_t heaviest = *std::max_element(counted.begin(), counted.end(), [&](uint32_t a, uint32_t b) {
    return std::tuple(groups[a].objects, groups[a].retained, b) < std::tuple(groups[b].objects, groups[b].retained, a);
  });
  Violation violation = ViolationOf(index, groups[heaviest]);
  violation.covered.clear();
  for (const uint32_t i : counted) {
    violation.covered.push_back(Covered(groups[i]));
    if (!violation.outgrown) violation.outgrown = excuses_.Outgrown(At(index), groups[i]);
    if (groups[i].type != groups[heaviest].type) violation.type = At(index).types ? At(index).types->text : "*";
    if (const auto expired = excuses_.Expired(At(index), groups[i]); expired && !violation.expired)
      violation.expired = facts_.policy.rules.ignores[*expired];
  }
  return violation;
}

std::vector<std::string> RuleJudge::AssembliesOf(session::ObjectIndex loader_allocator) const {
  const auto graph = facts_.head.Graph(facts_.work);
  if (!graph) return {};
  const uint64_t address = (*graph)->AddressOf(loader_allocator);
  const snapshot::Summary& summary = facts_.head.GetSummary();
  std::set<std::string> names;
  for (const snapshot::Type& type : summary.types)
    if (type.loader_allocator == address && type.module < summary.modules.size())
      names.insert(summary.modules[type.module].name);
  return {names.begin(), names.end()};
}

// ---- growth ----

// A group has a greater number than its holder.
RuleJudge::Leading RuleJudge::LeadingOf(const Groups& groups, std::vector<uint32_t> leading,
                                        const std::vector<bool>& wanted,
                                        const std::function<GroupSize(uint32_t)>& size) const {
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> leader(groups.size(), kNone);
  for (uint32_t i = 0; i < leading.size(); ++i) leader[leading[i]] = i;
  std::vector<std::map<std::string_view, GroupSize>> sums(leading.size());
  for (uint32_t i = 0; i < groups.size(); ++i) {
    if (leader[i] != kNone || groups[i].parent == PathGroup::kNoParent) continue;
    leader[i] = leader[groups[i].parent];
    if (leader[i] != kNone && wanted[i]) sums[leader[i]][facts_.names[groups[i].type.value]] += size(i);
  }
  Leading result{std::move(leading), {}};
  for (const auto& of_leader : sums) {
    auto& carried = result.carried.emplace_back();
    for (const auto& [type, sum] : of_leader) carried.push_back({std::string(type), sum});
    std::ranges::stable_sort(carried, std::greater(), [](const CarriedType& one) { return one.size.objects; });
  }
  return result;
}

void RuleJudge::AddEach(size_t index, const Groups& groups, const Leading& leading, const Growth* growth) {
  const Rule& rule = At(index);
  for (size_t place = 0; place < leading.groups.size(); ++place) {
    const uint32_t i = leading.groups[place];
    if (const auto excuse = excuses_.For(rule, groups[i])) {
      Pass(index, groups[i], *excuse);
      continue;
    }
    Violation violation = ViolationOf(index, groups[i]);
    if (growth) violation.before = growth->before[i];
    violation.excesses = ExcessesOf(rule, growth ? growth->added[i] : SizeOf(groups[i]));
    violation.carried = leading.carried[place];
    verdict_.violations.push_back(std::move(violation));
  }
}

const RuleJudge::Growth& RuleJudge::GrowthOfGroups() {
  if (!growth_) {
    const Base& base = *facts_.base;
    growth_ = Growth{session::SizesIn(base.groups, facts_.groups),
                     session::Added({base.groups, base.type_names}, {facts_.groups, facts_.names})};
  }
  return *growth_;
}

void RuleJudge::JudgeGrowthOfPaths(size_t index) {
  const Rule& rule = At(index);
  const auto types = TypesOf(rule, facts_.names);
  const Growth& growth = GrowthOfGroups();
  std::vector<bool> grown(facts_.groups.size());
  for (size_t i = 0; i < grown.size(); ++i) {
    const PathGroup& group = facts_.groups[i];
    grown[i] = group.objects > 0 && types[group.type.value] && !ExcessesOf(rule, growth.added[i]).empty();
  }
  auto leaders = session::GrowthLeaders(facts_.groups, growth.before, growth.added, grown);
  AddEach(index, facts_.groups,
          LeadingOf(facts_.groups, std::move(leaders), grown, [&](uint32_t i) { return growth.added[i]; }), &growth);
}

RuleJudge::SumsByType RuleJudge::SumTypes(size_t index) {
  const Rule& rule = At(index);
  const Base& base = *facts_.base;
  SumsByType sums;
  const Excuses base_excuses(facts_.policy, base.type_names);
  // A leak of the baseline that grew counts with all it was before, too.
  std::map<std::string_view, bool> is_excused;
  for (const PathGroup& group : facts_.groups)
    if (group.objects > 0) is_excused[group.fingerprint] = excuses_.For(rule, group).has_value();
  const auto counted = [&](const PathGroup& of_base) {
    const auto now = is_excused.find(of_base.fingerprint);
    return now == is_excused.end() ? !base_excuses.For(rule, of_base) : !now->second;
  };
  const auto base_types = TypesOf(rule, base.type_names), types = TypesOf(rule, facts_.names);
  for (const PathGroup& group : base.groups)
    if (group.objects > 0 && base_types[group.type.value] && counted(group))
      sums[base.type_names[group.type.value]].before += SizeOf(group);
  for (size_t i = 0; i < facts_.groups.size(); ++i) {
    const PathGroup& group = facts_.groups[i];
    if (group.objects == 0 || !types[group.type.value]) continue;
    const GroupSize& added = GrowthOfGroups().added[i];
    if (const auto excuse = excuses_.For(rule, group)) {
      if (added.objects > 0 || added.bytes > 0) Pass(index, group, *excuse);
      continue;
    }
    TypeSums& of = sums[facts_.names[group.type.value]];
    of.now += SizeOf(group);
    of.groups.emplace_back(&group, added);
  }
  return sums;
}

void RuleJudge::JudgeGrowthOfTypes(size_t index) {
  for (const auto& [name, of] : SumTypes(index)) {
    auto excesses = ExcessesOf(At(index), Added(of.before, of.now));
    if (excesses.empty()) continue;
    const auto by_growth = [](const auto& a, const auto& b) {
      return std::tuple(a.second.objects, a.second.bytes) < std::tuple(b.second.objects, b.second.bytes);
    };
    Violation violation = ViolationOf(index, *std::max_element(of.groups.begin(), of.groups.end(), by_growth)->first);
    for (const auto& [group, added] : of.groups)
      if ((added.objects > 0 || added.bytes > 0) && group->fingerprint != violation.fingerprint)
        violation.covered.push_back(Covered(*group));
    violation.now.objects = of.now.objects;
    violation.now.bytes = of.now.bytes;
    violation.before = of.before;
    violation.excesses = std::move(excesses);
    verdict_.violations.push_back(std::move(violation));
  }
}

// ---- holders, disposed objects: path by path ----

Status RuleJudge::AddTopmost(size_t index, const std::function<bool(session::ObjectIndex)>& wanted) {
  const auto groups = facts_.head.PathGroupsOf(wanted, facts_.work);
  if (!groups) return tl::make_unexpected(groups.error());
  std::vector<bool> candidates(groups->size());
  for (size_t i = 0; i < candidates.size(); ++i)
    candidates[i] = (*groups)[i].objects > 0 && !ExcessesOf(At(index), SizeOf((*groups)[i])).empty();
  AddEach(index, *groups,
          LeadingOf(*groups, session::Topmost(*groups, candidates), candidates,
                    [&](uint32_t i) { return SizeOf((*groups)[i]); }),
          nullptr);
  return {};
}

Status RuleJudge::JudgeHeldOnlyBy(size_t index) {
  const auto types = TypesOf(At(index), facts_.names);
  const auto graph = facts_.head.Graph(facts_.work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto held = session::HeldOnlyBy(facts_.head, At(index).holder, facts_.work);
  if (!held) return tl::make_unexpected(held.error());
  return AddTopmost(index, [&](session::ObjectIndex object) {
    return (*held)[object.value] && types[(*graph)->TypeOf(object).value];
  });
}

Status RuleJudge::JudgeDisposed(size_t index) {
  const Rule& rule = At(index);
  const auto types = TypesOf(rule, facts_.names);
  const auto found = session::FindDisposed(facts_.head, types, facts_.work);
  if (!found) return tl::make_unexpected(found.error());
  const bool any_meant = std::any_of(facts_.groups.begin(), facts_.groups.end(), [&](const PathGroup& group) {
    return group.objects > 0 && types[group.type.value];
  });
  bool any_known = false;
  for (size_t i = 0; i < facts_.names.size(); ++i) {
    any_known = any_known || found->known[i];
    if (found->flagged[i] && !found->known[i])
      return Fail(ErrorKind::kFailed, "check.no_values",
                  rule.place.Text() + ": the rule '" + rule.name +
                      "' cannot be judged: the snapshot does not keep whether " + facts_.names[i] + " was disposed",
                  "Capture with --values, which keeps the values of all primitive fields.");
  }
  const std::string why = rule.place.Text() + ": no object that the rule '" + rule.name +
                          "' means has a field that tells whether it was disposed, so that it says nothing.";
  const bool accepted = rule.may_be_absent.value_or(false);
  if (any_meant && !any_known && accepted) verdict_.warnings.push_back(why);
  if (any_meant && !any_known && !accepted) verdict_.unjudged.push_back({index, why});
  return AddTopmost(index, [&](session::ObjectIndex object) { return bool(found->disposed[object.value]); });
}

}  // namespace cairn::check
