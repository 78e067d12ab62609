#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "viewer/presentation/allocations/allocation_report.h"
#include "viewer/presentation/documents/imported.h"
#include "viewer/presentation/documents/info_document.h"
#include "viewer/presentation/documents/problems.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/render/text_table.h"
#include "viewer/presentation/tables/generation_table.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

// "Process     Shop (pid 4242)": a label once, then lines below each other.
class Section {
 public:
  Section(ByteSink& sink, TextStyle style) : sink_(sink), style_(style) {}

  void Begin(std::string_view label) { label_ = label; }
  void Line(std::string_view text) {
    constexpr size_t kLabelWidth = 12;
    const std::string blanks(kLabelWidth - label_.size(), ' ');
    sink_.Write(style_.Bold(label_) + blanks + std::string(text) + "\n");
    label_.clear();
  }

 private:
  ByteSink& sink_;
  TextStyle style_;
  std::string label_;
};

void WriteState(const InfoDocument& document, TextStyle style, Section& section) {
  const snapshot::Capture& capture = document.summary->capture;
  section.Begin("Snapshot");
  section.Line(VisibleText(document.path));
  section.Line(FullBytes(document.file_bytes));
  if (!capture.captured_at.empty())
    section.Line(
        fmt::format("captured {} by cairn {}", VisibleText(capture.captured_at), VisibleText(capture.cairn_version)));
  section.Begin("State");
  section.Line(document.summary->complete ? style.Good("complete")
                                          : style.Bad("INCOMPLETE: what follows is not all; see Problems"));
}

void WriteProcess(const snapshot::Process& process, Section& section) {
  section.Begin("Process");
  section.Line(fmt::format("{} (pid {})", VisibleText(process.name), process.pid));
  if (!process.command_line.empty()) section.Line(VisibleText(process.command_line));
  section.Begin("Runtime");
  section.Line(fmt::format(".NET {}, {} GC, {}", VisibleText(process.runtime), VisibleText(process.gc_mode),
                           VisibleText(process.architecture)));
}

void WriteHeap(const snapshot::Totals& totals, bool imported, Section& section) {
  section.Begin("Heap");
  section.Line(fmt::format("{}, {}", Counted(totals.objects, "object", "objects"), FullBytes(totals.bytes)));
  if (!imported)
    section.Line(fmt::format("free {}, {}", Counted(totals.free_objects, "gap", "gaps"), FullBytes(totals.free_bytes)));
  section.Line(fmt::format("{}, {}, {}", Counted(totals.edges, "reference", "references"),
                           Counted(totals.types, "type", "types"),
                           Counted(totals.roots, "root", "roots") + " (frozen objects not counted)"));
}

void WriteMemory(const snapshot::Memory& memory, Section& section) {
  section.Begin("Memory");
  section.Line(fmt::format("resident {}", FullBytes(memory.rss_bytes)));
  if (memory.gc_committed_bytes > 0)
    section.Line(fmt::format("committed by the GC {}", FullBytes(memory.gc_committed_bytes)));
  if (memory.limit_bytes) section.Line(fmt::format("limit {}", FullBytes(*memory.limit_bytes)));
  if (memory.copied_bytes > 0) section.Line(fmt::format("copied for the capture {}", FullBytes(memory.copied_bytes)));
}

std::string PauseParts(const snapshot::Pause& pause) {
  std::vector<std::string> parts;
  const auto add = [&](const char* name, double ms) {
    if (ms > 0) parts.push_back(fmt::format("{} {}", name, Milliseconds(ms)));
  };
  add("suspend", pause.suspend_ms);
  add("collection", pause.gc_ms);
  add("roots", pause.roots_ms);
  add("walk", pause.walk_ms);
  add("fork", pause.fork_ms);
  return fmt::format("{}", fmt::join(parts, ", "));
}

void WriteCapture(const snapshot::Capture& capture, Section& section) {
  section.Begin("Collection");
  section.Line(fmt::format("{} requested, {} done, roots {}", VisibleText(capture.gc_requested),
                           VisibleText(capture.gc_actual), VisibleText(capture.roots)));
  section.Line(fmt::format("walked by {} in the {}{}", Counted(capture.threads, "thread", "threads"),
                           capture.method == "fork" ? "forked child" : "pause",
                           capture.through_api ? ", through the profiling API" : ""));
  section.Begin("Pause");
  section.Line(Milliseconds(capture.pause_ms.total_ms));
  if (const std::string parts = PauseParts(capture.pause_ms); !parts.empty()) section.Line(parts);
  section.Begin("Cost");
  const double off_ms = capture.concurrent_gc_off_ms;
  section.Line(fmt::format("concurrent GC off for {}, {} from start to file",
                           off_ms < 0 ? "an unknown time" : Milliseconds(off_ms), Milliseconds(capture.elapsed_ms)));
  if (capture.child_ms > 0) section.Line(fmt::format("child lived for {}", Milliseconds(capture.child_ms)));
}

void WriteContents(const snapshot::Capture& capture, Section& section) {
  section.Begin("Contents");
  const char* const strings = capture.strings == "all"    ? "texts of strings, hashes of strings and arrays"
                              : capture.strings == "hash" ? "hashes of strings and arrays, no text"
                                                          : "nothing of strings";
  section.Line(fmt::format("{}; {}", strings,
                           capture.values ? "values of all primitive fields" : "values that tell a shape only"));
}

void WriteReconciliation(const snapshot::Capture& capture, Section& section) {
  section.Begin("Compared");
  if (capture.reconciled_source.empty()) return section.Line("with nothing: the runtime gave no figure of its own");
  const int64_t difference = capture.reconciled_difference_bytes;
  section.Line(fmt::format("with {}: {}", VisibleText(capture.reconciled_source),
                           difference == 0 ? "equal to the byte" : GroupedDifference(difference) + " bytes"));
}

// Only the first of a series follows nothing.
void WriteTracking(const snapshot::Tracking& tracking, Section& section) {
  section.Begin("Followed");
  if (tracking.previous.empty() && tracking.lost.empty()) return section.Line("from here on: the first of a series");
  section.Line(tracking.lost.empty() ? "the objects of the snapshot before, through " +
                                           Counted(tracking.collections, "collection", "collections") + " (" +
                                           std::to_string(tracking.background) + " in the background)"
                                     : "not the objects of the snapshot before: " + VisibleText(tracking.lost));
  section.Line("price: a full blocking collection with an event for every object here; at each background collection");
  section.Line("about 5 ns an object of pause, at each full blocking one half as long again");
}

std::string SampledObjects(const snapshot::Sampling& sampling) {
  if (!sampling.lost.empty()) return "the stack of no object in the snapshot: " + VisibleText(sampling.lost);
  const std::string unmatched =
      sampling.unmatched > 0 ? fmt::format("; {} not found again", GroupedCount(sampling.unmatched)) : "";
  return "the stacks of " + Counted(sampling.objects.size(), "object", "objects") + " in the snapshot" + unmatched;
}

// How much is known of where objects were allocated, and how surely.
void WriteSampling(const snapshot::Sampling& sampling, Section& section) {
  section.Begin("Allocations");
  section.Line(fmt::format("{} with stacks in {:.1f} s, {} dropped", Counted(sampling.samples, "sample", "samples"),
                           sampling.seconds, GroupedCount(sampling.dropped)));
  section.Line(SamplingWords(sampling));
  section.Line(SampledObjects(sampling));
}

void WriteImport(Section& section) {
  section.Begin("Capture");
  section.Line("not known: the snapshot was made from another tool's file");
}

void WriteProblem(const std::string& code, const std::string& message, TextStyle style, ByteSink& sink) {
  sink.Write(fmt::format("  {}  {}\n", style.Bold(VisibleText(code)), VisibleText(message)));
  if (const std::string advice = ProblemAdvice(code); !advice.empty()) sink.Write("    → " + advice + "\n");
}

void WriteProblems(const std::vector<snapshot::Problem>& problems, TextStyle style, ByteSink& sink) {
  const auto write = [&](bool incomplete, const char* title) {
    bool first = true;
    for (const snapshot::Problem& problem : problems) {
      if (problem.incomplete != incomplete) continue;
      if (std::exchange(first, false)) sink.Write("\n" + style.Bold(title) + "\n");
      WriteProblem(problem.code, problem.message, style, sink);
    }
  };
  write(true, "Problems");
  write(false, "Warnings");
}

void WriteVerified(const snapshot::VerifyReport& report, TextStyle style, ByteSink& sink) {
  sink.Write(fmt::format("\n{} {}, {}, {}: {}\n", style.Bold("Verified"), Counted(report.frames, "frame", "frames"),
                         Counted(report.objects, "object", "objects"), Counted(report.edges, "reference", "references"),
                         report.errors.empty() ? style.Good("no errors") : style.Bad("DAMAGED")));
  for (const std::string& error : report.errors) sink.Write("  " + VisibleText(error) + "\n");
}

}  // namespace

void WriteInfoText(const InfoDocument& document, TextStyle style, ByteSink& sink) {
  const snapshot::Summary& summary = *document.summary;
  Section section(sink, style);
  WriteState(document, style, section);
  WriteProcess(summary.process, section);
  WriteHeap(summary.totals, IsImported(summary), section);
  WriteMemory(summary.capture.memory, section);
  if (IsImported(summary)) {
    WriteImport(section);
  } else {
    WriteCapture(summary.capture, section);
    WriteContents(summary.capture, section);
    WriteReconciliation(summary.capture, section);
    if (summary.tracking) WriteTracking(*summary.tracking, section);
    if (summary.sampling) WriteSampling(*summary.sampling, section);
  }
  sink.Write("\n");
  TextTable table(sink, style);
  Emit(GenerationTable(summary.ranges), std::nullopt, table);
  WriteProblems(summary.problems, style, sink);
  if (document.verified) WriteVerified(*document.verified, style, sink);
}

}  // namespace cairn::presentation
