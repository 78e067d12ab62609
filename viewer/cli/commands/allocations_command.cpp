#include "viewer/cli/commands/allocations_command.h"

#include <fmt/format.h>

#include "collector/client/allocation_profile.h"
#include "collector/client/observation_session.h"
#include "snapshot-format/stream/records.h"
#include "viewer/cli/file_output.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/observation_notes.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/cli/target_options.h"
#include "viewer/presentation/allocations/allocation_document.h"
#include "viewer/presentation/allocations/flame_graph.h"

namespace cairn::cli {
namespace {

using presentation::AllocationReport;
using presentation::AllocationsBy;

constexpr std::chrono::milliseconds kUsualDuration{30000};
constexpr uint64_t kUsualOverhead = 2;  // percent of a core

class LiveProfile final : public client::AllocationProfile {};

class AllocationsCommand : public Command {
 public:
  CommandText Text() const override {
    return {"allocations", "Live processes", "what a process allocates, and which methods do it",
            "allocations PID [options]",
            "  cairn allocations 4242 --duration 30s --html allocations.html\n"
            "      thirty seconds of process 4242: bytes by type, with the methods that most of them come from, and a\n"
            "      flame graph of all stacks as a page of its own. Ctrl-C ends it earlier. On .NET 10 the runtime\n"
            "      samples at random, one allocation in about 100 KB, so that the figures are estimates without bias;\n"
            "      the column ± says how far they may be off in 19 of 20 cases. On .NET 8 and 9 they are approximate.\n"
            "  cairn allocations 4242 --by stack --folded stacks.txt\n"
            "      by stack instead, and all stacks as lines that other flame graph tools read.\n"};
  }

  void Configure(CommandLine& line) override {
    target_.Configure(line);
    line.Duration("--duration", duration_, presentation::BareNumber::kSeconds, "TIME", "how long (30s)");
    line.Choice("--by", by_,
                {{"type", AllocationsBy::kType}, {"stack", AllocationsBy::kStack}, {"method", AllocationsBy::kMethod}},
                "what the rows are (type)");
    line.Text("--folded", folded_, "FILE", "all stacks as folded lines, outermost method first");
    line.Text("--html", html_, "FILE", "a flame graph, as a page without scripts");
    line.Count("--depth", depth_, 1, "N", "how many frames of a stack are kept (32, the most there are)");
    line.Count("--max-overhead", overhead_, 0, "PERCENT",
               "of one core that sampling may take; beyond it fewer samples are looked at (2; 0: any)");
    line.Flag("--exact", exact_, "count every allocation: only from the start of a process");
    line.Count("--top", top_, 1, "N", "how many rows (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    if (exact_) return tl::make_unexpected(NotExact());
    auto request = Request();
    if (!request) return tl::make_unexpected(std::move(request).error());
    for (const std::string& file : {folded_, html_})
      if (!file.empty()) CAIRN_TRY(CheckWritable(file));
    CatchInterrupts();
    auto session = client::ObservationSession::Start(client::Machine::This(), *request, Interrupted());
    if (!session) return tl::make_unexpected(std::move(session).error());
    if (console.ErrorIsTerminal() || console.verbose)
      console.Note(fmt::format("cairn allocations: sampling process {}; Ctrl-C ends it", (*session)->Pid()));
    NoteWhenStopped(console, "allocations", **session);
    LiveProfile profile;
    const auto result =
        (*session)->Run([&](std::span<const uint8_t> block) { return profile.Take(block); }, Interrupted());
    if (!result) return tl::make_unexpected(result.error());
    const AllocationReport report = ReportOf(profile, !result->is_cut);
    CAIRN_TRY(Tell(console, report, (*session)->Pid()));
    return NoteEnd(console, "allocations", *result);
  }

 private:
  // What it would cost is measured: 14 instead of 90 million allocations a second.
  static Error NotExact() {
    return {ErrorKind::kFailed, "allocations.exact",
            "Counting every allocation has to be asked for before a process starts, makes each allocation about six "
            "times as expensive for the whole of its life, and is not offered by this version.",
            "Leave out --exact: ten thousand samples of a type tell its bytes to within 2 %."};
  }

  Result<client::ObservationRequest> Request() const {
    auto target = target_.Target("allocations");
    if (!target) return tl::make_unexpected(std::move(target).error());
    CAIRN_TRY(CheckObservedTime(duration_));
    if (depth_.value_or(1) > protocol::kMostAllocationDepth)
      return Fail(ErrorKind::kUsage, "usage.bad_value",
                  fmt::format("--depth takes at most {}", protocol::kMostAllocationDepth), "Leave it out.");
    if (overhead_.value_or(0) > 100)
      return Fail(ErrorKind::kUsage, "usage.bad_value", "--max-overhead takes a percentage of one core, at most 100",
                  "0 means that there is no limit.");
    protocol::AllocationWishes wishes;
    wishes.depth = static_cast<uint32_t>(depth_.value_or(protocol::kMostAllocationDepth));
    wishes.share_ppm = static_cast<uint32_t>(overhead_.value_or(kUsualOverhead) * 10'000);
    stream::RecordWriter writer;
    writer(wishes);
    client::ObservationRequest request;
    request.target = std::move(*target);
    request.kind = protocol::ObserverKind::kAllocations;
    request.duration = duration_.value_or(kUsualDuration);
    request.wishes = writer.Take();
    return request;
  }

  static AllocationReport ReportOf(const LiveProfile& profile, bool complete) {
    const protocol::AllocationCosts& costs = profile.Costs();
    AllocationReport report;
    report.complete = complete;
    report.sampling = profile.Summarize();
    report.taken_seconds = static_cast<double>(costs.taken_ns) / 1e9;
    report.left_out = costs.left_out;
    report.without_stack = costs.without_stack;
    report.one_in = costs.one_in;
    return report;
  }

  Status Tell(Console& console, const AllocationReport& report, int64_t pid) const {
    if (!folded_.empty()) {
      CAIRN_TRY(WriteWholeFile(folded_, presentation::FoldedStacks(report.sampling)));
      console.Did(fmt::format("{} was written", folded_));
    }
    if (!html_.empty()) {
      CAIRN_TRY(
          WriteWholeFile(html_, presentation::FlameGraphPage(report, fmt::format("Allocations of process {}", pid))));
      console.Did(fmt::format("{} was written", html_));
    }
    if (console.format == OutputFormat::kJson)
      PrintJson(console, report);
    else
      Print(console, report);
    return {};
  }

  void PrintJson(Console& console, const AllocationReport& report) const {
    presentation::JsonDocument document(console.Out());
    presentation::PutAllocations(document, report, by_);
    document.Finish();
  }

  void Print(Console& console, const AllocationReport& report) const {
    PrintTable(console, *presentation::AllocationTable(report.sampling, by_), console.Top(top_));
    if (console.format != OutputFormat::kText) return;
    for (const std::string& note : presentation::AllocationNotes(report)) console.Note("cairn allocations: " + note);
  }

  TargetOptions target_;
  std::optional<std::chrono::milliseconds> duration_;
  AllocationsBy by_ = AllocationsBy::kType;
  std::string folded_, html_;
  std::optional<uint64_t> depth_, overhead_, top_;
  bool exact_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeAllocationsCommand() { return std::make_unique<AllocationsCommand>(); }

}  // namespace cairn::cli
