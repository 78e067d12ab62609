#pragma once
// One rule after the other over the groups of a snapshot.
// Thread rule: one thread. Ownership: observes everything it is given.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "viewer/check/judge.h"

namespace cairn::check {

// What every rule looks at.
struct Case {
  session::SnapshotSession& head;
  const std::vector<std::string>& names;          // of types, by TypeIndex
  const std::vector<session::PathGroup>& groups;  // of all reachable objects
  const Base* base;                               // null: none
  const Policy& policy;
  analysis::Work& work;
};

class RuleJudge {
 public:
  RuleJudge(const Case& facts, Verdict& verdict);

  // Adds to the verdict what the rule at this position says. Errors: those of the session.
  Status Run(size_t rule);

 private:
  using Groups = std::vector<session::PathGroup>;

  const Rule& At(size_t rule) const { return facts_.policy.rules.rules[rule]; }
  // By TypeIndex; all where the rule names no pattern.
  std::vector<bool> TypesOf(const Rule& rule, const std::vector<std::string>& names) const;

  // Limits are over all objects that the rule means, together.
  Status JudgeLimit(size_t rule, const std::vector<bool>& types);
  // The groups that count; none where not even all together pass the limit.
  Result<std::vector<uint32_t>> Counted(size_t rule, const std::vector<bool>& types);
  // `is_everything`: they are all groups of these types.
  Result<session::GroupSize> Sum(const std::vector<uint32_t>& groups, bool with_retained, bool is_everything,
                                 const std::vector<bool>& types);
  Violation ViolationOfAll(size_t rule, const std::vector<uint32_t>& counted) const;

  struct TypeSums {
    session::GroupSize before, now;  // without what each retains, which does not add up
    // Of the head, and what each gained.
    std::vector<std::pair<const session::PathGroup*, session::GroupSize>> groups;
  };
  using SumsByType = std::map<std::string, TypeSums>;
  SumsByType SumTypes(size_t rule);
  void JudgeGrowthOfPaths(size_t rule);
  void JudgeGrowthOfTypes(size_t rule);
  Status JudgeHeldOnlyBy(size_t rule);
  Status JudgeDisposed(size_t rule);
  // Groups of the objects that are wanted, without those that hang below another.
  Status AddTopmost(size_t rule, const std::function<bool(session::ObjectIndex)>& wanted);

  struct Growth {
    std::vector<session::GroupSize> before, added;  // by group of the head
  };
  const Growth& GrowthOfGroups();

  // The groups that are told of all that a rule means.
  struct Leading {
    std::vector<uint32_t> groups;
    std::vector<std::vector<CarriedType>> carried;  // by position in `groups`
  };
  // `wanted`: by group; `sizes` are summed up by type for those that hang below a leading one.
  Leading LeadingOf(const Groups& groups, std::vector<uint32_t> leading, const std::vector<bool>& wanted,
                    const std::function<session::GroupSize(uint32_t)>& size) const;
  // One violation per leading group, or an excuse for it. `growth`: null where it is not about growth.
  void AddEach(size_t rule, const Groups& groups, const Leading& leading, const Growth* growth);
  Violation ViolationOf(size_t rule, const session::PathGroup& group) const;
  CoveredPath Covered(const session::PathGroup& group) const;
  void Pass(size_t rule, const session::PathGroup& group, const Excuse& excuse);
  std::vector<std::string> AssembliesOf(session::ObjectIndex loader_allocator) const;

  const Case facts_;
  Verdict& verdict_;
  const Excuses excuses_;
  std::optional<Growth> growth_;  // at its first use
  // By section, fingerprint, reason: the place among the excused.
  std::map<std::tuple<std::string, std::string, std::string, Excused::Kind>, size_t> passed_;
};

}  // namespace cairn::check
