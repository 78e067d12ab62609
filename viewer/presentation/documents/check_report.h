#pragma once
// A verdict with all that a report tells beside it.
// Thread rule: plain data. Ownership: observes the rules and the session's summary.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "snapshot-format/file/model.h"
#include "viewer/analysis/reachability.h"
#include "viewer/check/judge.h"
#include "viewer/presentation/allocations/allocated_at.h"

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

// Where the objects of a type were allocated, as far as they were sampled.
struct AllocatedType {
  analysis::TypeIndex type;
  AllocationSites sites;
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
  // By the example of a violation, of its type; empty where allocations were not sampled.
  std::map<uint64_t, AllocatedType> allocated;

  bool IsOk() const { return complete && verdict.violations.empty() && verdict.unjudged.empty(); }
  // Why nothing can be said of a rule; empty: something can.
  std::string WhyUnjudged(size_t rule) const;
  uint64_t Violations(size_t rule) const;
};

// Fills in what is asked of the session: reachable, tiles, growth. `base`: null for none.
Status DescribeHeap(session::SnapshotSession& session, const check::Base* base, CheckReport& report,
                    analysis::Work& work);

// Fills in where what breaks the rules was allocated, if the snapshot tells.
Status DescribeAllocations(session::SnapshotSession& session, CheckReport& report, analysis::Work& work);

}  // namespace cairn::presentation
