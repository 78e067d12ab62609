#pragma once
// A verdict with all that a report tells beside it.
// Thread rule: plain data. Ownership: observes the rules and the session's summary.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snapshot-format/file/model.h"
#include "viewer/analysis/reachability.h"
#include "viewer/check/judge.h"

namespace cairn::presentation {

// A rectangle of the picture of the heap: what one object retains.
struct HeapTile {
  std::string label;
  uint64_t retained = 0;
  std::vector<HeapTile> parts;  // what it dominates; less than it retains
};

struct TypeGrowth {
  std::string type;
  uint64_t bytes_before = 0, bytes_now = 0;  // of reachable objects
};

struct CheckReport {
  std::string head, base;                      // paths; base may be empty
  const snapshot::Summary* summary = nullptr;  // of the head
  const check::RuleSet* rules = nullptr;
  check::Verdict verdict;
  bool complete = true;
  std::vector<snapshot::Problem> problems;
  analysis::ObjectTotals reachable;
  std::vector<HeapTile> tiles;     // the largest first
  std::vector<TypeGrowth> growth;  // the most first; only against a base

  bool IsOk() const { return complete && verdict.violations.empty(); }
  uint64_t Violations(size_t rule) const;
};

// Fills in what is asked of the session: reachable, tiles, growth. `base`: null for none.
Status DescribeHeap(session::SnapshotSession& session, const check::Base* base, CheckReport& report,
                    analysis::Work& work);

}  // namespace cairn::presentation
