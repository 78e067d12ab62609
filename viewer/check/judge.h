#pragma once
// Judges the reachable objects of a snapshot by rules.
// Thread rule: one thread.

#include <optional>
#include <string>
#include <vector>

#include "viewer/check/excuses.h"
#include "viewer/check/verdict.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::check {

// What is kept of an earlier snapshot, so that only one is in memory.
struct Base {
  std::vector<std::string> type_names;  // by TypeIndex
  std::vector<session::PathGroup> groups;
  std::string process, captured_at, roots;
};
Result<Base> ReadBase(session::SnapshotSession& session, analysis::Work& work);

// Errors: check.needs_base, check.no_values, those of the session. What an incomplete snapshot is worth is the
// caller's to say.
Result<Verdict> Judge(session::SnapshotSession& head, const Base* base, const Policy& policy, analysis::Work& work);

// Leaks that pass from now on: those of the violations, and those of the old baseline that are still there.
Baseline NewBaseline(const RuleSet& rules, const Verdict& verdict);
// Violations become excused, since they are in a baseline now.
void AcceptAll(const RuleSet& rules, Verdict& verdict);

}  // namespace cairn::check
