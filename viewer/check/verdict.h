#pragma once
// What the rules say of a snapshot, as plain data; sentences are made of it elsewhere.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viewer/check/baseline.h"
#include "viewer/check/rules.h"
#include "viewer/session/path_growth.h"

namespace cairn::check {

enum class Measure { kObjects, kBytes, kRetained };

// A figure that is larger than what is allowed. Of a rule of growth both are of what was added.
struct Excess {
  Measure measure{};
  uint64_t value = 0, allowed = 0;

  bool operator==(const Excess&) const = default;
};

// What a baseline would take up of a violation.
struct CoveredPath {
  std::string type, fingerprint, path;
  KnownSize size;
};

// Objects of one type that hang on what a violation names, and that its rule means too.
struct CarriedType {
  std::string type;
  session::GroupSize size;  // of rules of growth: what was added

  bool operator==(const CarriedType&) const = default;
};

struct Violation {
  size_t rule = 0;   // of RuleSet::rules
  std::string type;  // of the objects; where they are of several types the rule's pattern
  // The shape of path that most of them have; `covered` are all that a baseline would take up.
  std::string fingerprint, path;
  std::vector<CoveredPath> covered;
  std::vector<CarriedType> carried;          // the most objects first; of rules that go path by path
  session::GroupSize now;                    // `retained` of the most common path, unless the rule asks for all
  std::optional<session::GroupSize> before;  // of rules of growth
  std::vector<Excess> excesses;
  std::vector<std::string> assemblies;  // of a load context
  session::ObjectIndex example;
  std::optional<session::RootPath> holder;  // to the example; of the first violations only
  std::optional<Ignore> expired;            // would have let it pass before
  std::optional<KnownSize> outgrown;        // it, or one of its paths, is in the baseline, but was no more than this
};

// Would be a violation, or a part of one.
struct Excused {
  enum class Kind { kBaseline, kIgnored, kKnown };

  size_t rule = 0;
  Kind kind{};
  std::string type, fingerprint, path, reason;
  uint64_t objects = 0, retained = 0;
  std::string section;              // of a baseline
  std::vector<size_t> other_rules;  // that it does not count for either

  bool IsOf(size_t of_rule) const {
    return rule == of_rule || std::find(other_rules.begin(), other_rules.end(), of_rule) != other_rules.end();
  }
};

// A rule that says nothing of this snapshot: neither a leak nor a pass.
struct Unjudged {
  size_t rule = 0;
  std::string why;  // a sentence
};

struct Verdict {
  std::vector<Violation> violations;  // in the order of the rules, the heaviest first
  std::vector<Unjudged> unjudged;
  std::vector<Excused> excused;
  std::vector<std::string> warnings;  // sentences

  uint64_t Count(Excused::Kind kind) const;
};

}  // namespace cairn::check
