#include "collector/client/summary_builder.h"

#include <algorithm>

#include "snapshot-format/stream/hex_address.h"

namespace cairn::client {
namespace {

using protocol::GcRequest;
using protocol::StringCapture;
using stream::HexAddress;

std::string Number(uint64_t value) { return std::to_string(value); }

const char* GcName(uint8_t condemned) { return condemned >= 2 ? "full" : condemned == 1 ? "gen1" : "gen0"; }

class SummaryBuilder {
 public:
  SummaryBuilder(const AssembledParts& parts, bool cut, snapshot::Summary& summary)
      : parts_(parts), cut_(cut), summary_(summary) {}

  void Build() {
    FillCapture();
    FixModules();
    SortMethods();
    FixTypes();
    FixRanges();
    AddStatics();
    CheckRoots();
    CheckReferences();
    CheckChunks();
    summary_.totals.chunks = parts_.chunks;
    snapshot::FillTotals(summary_);
    CheckTotals();
    Reconcile();
  }

 private:
  void Problem(const char* code, std::string message, bool incomplete = true) {
    summary_.problems.push_back({code, std::move(message), incomplete});
  }

  void FillCapture() {
    const protocol::WalkEnd& walk = parts_.walk;
    snapshot::Capture& capture = summary_.capture;
    const bool full = walk.condemned >= 2 && walk.blocking;
    capture.id = RandomHex(16);
    capture.captured_at = parts_.context.captured_at;
    capture.cairn_version = CAIRN_VERSION;
    capture.gc_requested = parts_.context.gc == GcRequest::kFull ? "full" : "young";
    capture.gc_actual = GcName(walk.condemned);
    capture.roots = full ? "full" : "young";
    capture.method = walk.forked ? "fork" : "pause";
    capture.threads = walk.threads;
    capture.through_api = walk.through_api;
    capture.pause_ms = {walk.pause_total_ms, walk.pause_suspend_ms, walk.pause_gc_ms,
                        walk.pause_roots_ms, walk.pause_walk_ms,    walk.pause_fork_ms};
    FillContents(capture);
    capture.elapsed_ms = std::chrono::duration<double, std::milli>(Clock::now() - parts_.context.started).count();
    const uint64_t copied = capture.memory.copied_bytes;  // what the child said
    capture.memory = parts_.context.memory;
    capture.memory.copied_bytes = copied;
    capture.memory.gc_committed_bytes = walk.gc_committed_bytes;
    if (parts_.context.beside) Problem("attach.beside_profiler", BesideText(), false);
    const double limit_ms = parts_.context.max_pause_ms;
    if (limit_ms != 0 && capture.pause_ms.total_ms > limit_ms)
      Problem("pause.longer_than_asked",
              "The application stood still for " + Number(static_cast<uint64_t>(capture.pause_ms.total_ms)) +
                  " ms, longer than --max-pause allows: the limit is held against the estimate of the walk, not "
                  "against what the runtime collects.",
              false);
    if (full && parts_.context.gc == GcRequest::kYoung)
      Problem("gc.escalated", "A young collection was asked for, and the runtime made it a full one.", false);
    if (!full && parts_.context.gc == GcRequest::kFull)
      Problem("gc.not_full", "A full collection was asked for, and the runtime collected " + capture.gc_actual +
                                 " only: roots are missing.");
  }

  // Through the profiling API nothing of an object is read but its references.
  void FillContents(snapshot::Capture& capture) const {
    const bool texts = parts_.context.strings == protocol::StringCapture::kAll;
    capture.salt_id = parts_.walk.through_api ? "" : parts_.walk.salt_id;
    capture.strings = parts_.walk.through_api ? "none" : texts ? "all" : capture.salt_id.empty() ? "none" : "hash";
    capture.values = parts_.context.values && !parts_.walk.through_api;
  }

  std::string BesideText() const {
    const std::string& profiler = parts_.context.other_profiler;
    return "Another profiler is active" + (profiler.empty() ? "" : " (" + profiler + ")") +
           ", so the capture was made beside it: concurrent collections stayed on, and the roots of the full "
           "collection "
           "come from the runtime's events.";
  }

  // Modules are referred to by the collector's ids until here.
  void FixModules() {
    for (snapshot::Type& type : summary_.types) {
      if (type.module == snapshot::kNoId) continue;
      const auto found = std::find(parts_.module_ids.begin(), parts_.module_ids.end(), type.module);
      type.module =
          found == parts_.module_ids.end() ? snapshot::kNoId : static_cast<uint32_t>(found - parts_.module_ids.begin());
    }
  }

  // A reader finds methods by address.
  void SortMethods() {
    std::ranges::sort(summary_.methods, {}, &snapshot::Method::address);
    const auto same = [](const snapshot::Method& a, const snapshot::Method& b) { return a.address == b.address; };
    summary_.methods.erase(std::unique(summary_.methods.begin(), summary_.methods.end(), same), summary_.methods.end());
  }

  void FixTypes() {
    uint64_t unnamed = 0, differing = 0;
    for (size_t i = 0; i < summary_.types.size(); ++i) {
      snapshot::Type& type = summary_.types[i];
      const TypeCount& count = parts_.checker.Types()[i];
      if (i >= parts_.named.size() || !parts_.named[i]) {
        type.name = "(unknown type " + HexAddress(type.method_table) + ")";
        ++unnamed;
      }
      if (type.base_type != snapshot::kNoId && type.base_type >= summary_.types.size())
        type.base_type = snapshot::kNoId;
      differing += type.objects != count.objects || type.bytes != count.bytes;
      type.objects = count.objects;
      type.bytes = count.bytes;
    }
    if (unnamed > 0) Problem("types.unnamed", Number(unnamed) + " types came without a name.");
    if (differing > 0 && !cut_)
      Problem("walk.count_mismatch",
              Number(differing) + " types have other counts in the chunks than the walk counted.");
  }

  void FixRanges() {
    uint64_t differing = 0, inexact = 0, short_bytes = 0;
    for (size_t i = 0; i < summary_.ranges.size(); ++i) {
      snapshot::Range& range = summary_.ranges[i];
      const RangeCount& count = parts_.checker.Ranges()[i];
      const bool same = range.objects == count.objects && range.bytes == count.bytes && range.edges == count.edges;
      differing += !same;
      short_bytes += range.length - range.walked;
      if (same)
        inexact += range.bytes + range.free_bytes != range.walked;
      else
        UseCounts(count, range);
    }
    if (cut_) return;
    if (differing > 0)
      Problem("walk.count_mismatch",
              Number(differing) + " ranges hold other objects or references than the walk counted.");
    if (inexact > 0)
      Problem("walk.inexact", Number(inexact) + " ranges are not exactly filled by their objects and free space.");
    if (short_bytes > 0)
      Problem("walk.range_short", Number(short_bytes) + " bytes of the heap's ranges were not walked.");
  }

  void UseCounts(const RangeCount& count, snapshot::Range& range) {
    range.objects = count.objects;
    range.bytes = count.bytes;
    range.edges = count.edges;
    range.free_objects = count.gaps;
    range.free_bytes = count.gap_bytes;
    range.largest_free = count.largest_gap;
    range.walked = count.end - range.start;
  }

  // A class may be initialised between the pause and its naming: what it has then was not there in the pause.
  void AddStatics() {
    parts_.statics.AddTo(summary_.roots);
    const auto unresolved = parts_.statics.Unresolved();
    if (unresolved.empty() || cut_) return;
    Problem("statics.unresolved",
            Number(unresolved.size()) + " static fields lie in no object that was there in the pause, the first " +
                unresolved.front() + ": they are left out.",
            false);
  }

  void CheckRoots() {
    uint64_t outside = 0, first = 0;
    const auto check = [&](uint64_t address) {
      if (!parts_.checker.Contains(address) && outside++ == 0) first = address;
    };
    for (const snapshot::Root& root : summary_.roots) check(root.object);
    for (const snapshot::Dependent& pair : summary_.dependents) {
      check(pair.primary);
      check(pair.secondary);
    }
    for (snapshot::Root& root : summary_.roots)
      if (root.thread >= summary_.threads.size()) root.thread = snapshot::kNoId;
    if (outside > 0)
      Problem("walk.root_outside", Number(outside) +
                                       " roots and dependent handles lead to no range of the heap, the first to " +
                                       HexAddress(first) + ".");
  }

  void CheckReferences() {
    const OutsideCount& outside = parts_.checker.Outside();
    if (outside.references == 0) return;
    Problem("walk.reference_outside", Number(outside.references) +
                                          " references lead to no range of the heap, the first to " +
                                          HexAddress(outside.first_target) + " from the chunk at " +
                                          HexAddress(outside.first_chunk_address) + ".");
  }

  void CheckChunks() {
    // A child's chunks are not among those of the connection that ends with `end`.
    const bool by_collector = parts_.end && !parts_.walk.forked;
    const uint64_t stated = by_collector ? parts_.end->chunks : parts_.walk.chunks;
    if (!cut_ && (stated != parts_.chunks || parts_.walk.chunks != parts_.chunks))
      Problem("capture.chunks_missing", Number(parts_.chunks) + " chunks arrived, the walk made " +
                                            Number(parts_.walk.chunks) + " and " + Number(stated) + " were sent.");
  }

  void CheckTotals() {
    const protocol::WalkEnd& walk = parts_.walk;
    const snapshot::Totals& totals = summary_.totals;
    const bool same = walk.objects == totals.objects && walk.bytes == totals.bytes && walk.edges == totals.edges &&
                      walk.free_objects == totals.free_objects && walk.free_bytes == totals.free_bytes &&
                      walk.types == totals.types;
    if (!same && !cut_)
      Problem("walk.count_mismatch", "The walk counted " + Number(walk.objects) + " objects, " + Number(walk.bytes) +
                                         " bytes and " + Number(walk.edges) + " references, the chunks hold " +
                                         Number(totals.objects) + ", " + Number(totals.bytes) + " and " +
                                         Number(totals.edges) + ".");
  }

  // The runtime's own figure knows nothing of the frozen ranges.
  void Reconcile() {
    if (parts_.walk.reconciled_source.empty()) return;
    uint64_t ours = 0;
    for (const snapshot::Range& range : summary_.ranges)
      if (range.generation != snapshot::Generation::kFrozen) ours += range.bytes + range.free_bytes;
    summary_.capture.reconciled_source = parts_.walk.reconciled_source;
    summary_.capture.reconciled_difference_bytes = static_cast<int64_t>(ours - parts_.walk.reconciled_bytes);
    if (ours != parts_.walk.reconciled_bytes && !cut_)
      Problem("walk.not_reconciled", "The walk found " + Number(ours) + " bytes in the heap, the runtime says " +
                                         Number(parts_.walk.reconciled_bytes) + " (" + parts_.walk.reconciled_source +
                                         ").");
  }

  const AssembledParts& parts_;
  const bool cut_;
  snapshot::Summary& summary_;
};

}  // namespace

void BuildSummary(const AssembledParts& parts, const std::optional<Error>& cut, snapshot::Summary& summary) {
  if (cut) summary.problems.push_back({cut->code, cut->message, true});
  SummaryBuilder(parts, cut.has_value(), summary).Build();
  summary.complete = std::none_of(summary.problems.begin(), summary.problems.end(),
                                  [](const snapshot::Problem& problem) { return problem.incomplete; });
}

}  // namespace cairn::client
