#pragma once
// Locals that hold nothing as far as a question goes: those of a test and its host. How long a local lives is the
// choice of the compiler, so that what only a local holds says little about the program. The task that a thread runs
// goes with its locals.
// Thread rule: plain data and pure functions.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "viewer/analysis/chunk_source.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::session {

// By position in some names.
using NameSelector = std::function<std::vector<bool>(std::span<const std::string>)>;

struct IgnoredLocals {
  bool all = false;
  // Whole threads, with all their locals: those that a selector of names or a managed id means …
  std::vector<NameSelector> threads;
  std::vector<uint32_t> managed_ids;
  // … and those with a frame that one of these means. A local of no known thread goes by its own frame.
  std::vector<NameSelector> frames;

  bool IsEmpty() const { return !all && threads.empty() && managed_ids.empty() && frames.empty(); }
};

// By position in Summary::roots.
// Complexity: linear in the roots, and in selectors times different frames.
std::vector<bool> RootsOf(const IgnoredLocals& locals, const snapshot::Summary& summary);

// A source whose summary lacks those roots; what is only reachable from them is not reachable there. Objects have
// the same indices as in `source`.
std::unique_ptr<analysis::ChunkSource> WithoutRoots(std::unique_ptr<analysis::ChunkSource> source,
                                                    const std::vector<bool>& left_out);

// What only those roots hold: objects that are reachable in `whole` and not in `fewer` and `wanted`, put
// together by the shape of their path.
Result<RootPaths> PathsOfTheRest(SnapshotSession& whole, SnapshotSession& fewer,
                                 const std::function<bool(ObjectIndex)>& wanted, uint64_t max_steps,
                                 analysis::Work& work);

}  // namespace cairn::session
