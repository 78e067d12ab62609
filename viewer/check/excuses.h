#pragma once
// Which groups of objects do not count for a rule, and why: in the baseline, ignored, or a known leak of a library.
// Thread rule: one thread. Ownership: observes what it is made of.

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "viewer/check/baseline.h"
#include "viewer/check/verdict.h"

namespace cairn::check {

// What judges go by, beside the rules.
struct Policy {
  RuleSet rules;
  std::vector<KnownLeak> known_leaks;
  std::optional<Baseline> baseline;
  std::chrono::year_month_day today;
};

struct Excuse {
  Excused::Kind kind{};
  std::string reason;
};

class Excuses {
 public:
  // `type_names`, by TypeIndex of the groups that are asked about.
  Excuses(const Policy& policy, std::span<const std::string> type_names);

  std::optional<Excuse> For(const Rule& rule, const session::PathGroup& group) const;
  // What the baseline says of it, where it is more than that by now.
  std::optional<KnownSize> Outgrown(const Rule& rule, const session::PathGroup& group) const;
  // The ignore that would have been one before its day; its position.
  std::optional<size_t> Expired(const Rule& rule, const session::PathGroup& group) const;

 private:
  struct Target {
    std::vector<bool> types;  // empty: any
    std::string fingerprint, path;
    bool Fits(const session::PathGroup& group) const;
  };
  const BaselineEntry* Known(const Rule& rule, const session::PathGroup& group) const;
  bool IsWithin(const KnownSize& known, const session::PathGroup& group) const;
  bool Fits(size_t ignore, const Rule& rule, const session::PathGroup& group) const;
  bool IsExpired(const Ignore& ignore) const { return ignore.until < policy_.today; }

  const Policy& policy_;
  std::vector<Target> ignores_, known_;  // as in the policy
};

}  // namespace cairn::check
