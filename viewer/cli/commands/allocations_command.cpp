#include "viewer/cli/commands/allocations_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "collector/client/allocation_profile.h"
#include "collector/client/observation_session.h"
#include "collector/client/target.h"
#include "collector/protocol/allocation_counts.h"
#include "snapshot-format/stream/records.h"
#include "viewer/cli/file_output.h"
#include "viewer/cli/forwarded_signals.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/observation_notes.h"
#include "viewer/cli/observed_command.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/allocations/allocation_document.h"
#include "viewer/presentation/allocations/flame_graph.h"
#include "viewer/presentation/render/csv_rows.h"
#include "viewer/presentation/render/text_table.h"
#include "viewer/presentation/time_text.h"

namespace cairn::cli {
namespace {

using presentation::AllocationReport;
using presentation::AllocationsBy;

constexpr std::chrono::milliseconds kUsualDuration{30000};
constexpr uint64_t kUsualOverhead = 2;  // percent of a core
// tests/bench/allocation_counts.py measures it.
constexpr const char* kPriceOfExact =
    "every allocation is counted with its stack: code that does nothing but allocate runs at about 1/70 of its usual "
    "speed as long as that goes on, at about 1/3 of it afterwards, and no profiler can leave the process any more";

constexpr ObservedWords kWords = {
    "allocations",
    "",
    "start the command behind -- and look at it from its start until it ends",
    "with --run: the process to look at, below the command (the first .NET process)",
    "the result goes there (standard output; with --run standard error)",
    "Nothing is looked at",
};

class LiveProfile final : public client::AllocationProfile {};

// Where the result goes: a stream of the program, or a file, which is written as a whole at the end.
class Output {
 public:
  Output(int stream, std::string name, const presentation::TextStyle& style)
      : stream_(stream, std::move(name)), style_(style) {}
  Output(std::string path, bool overwrite) : path_(std::move(path)), overwrite_(overwrite), stream_(-1) {}

  presentation::ByteSink& Sink() { return path_.empty() ? static_cast<presentation::ByteSink&>(stream_) : text_; }
  const presentation::TextStyle& Style() const { return style_; }
  Status Finish() {
    if (path_.empty()) return stream_.Finish();
    CAIRN_TRY(CheckPlace(path_, overwrite_));  // it may have come meanwhile
    return WriteWholeFile(path_, text_.Text());
  }

 private:
  std::string path_;
  bool overwrite_ = false;
  FdSink stream_;
  presentation::StringSink text_;
  presentation::TextStyle style_{};
};

class AllocationsCommand : public Command {
 public:
  CommandText Text() const override {
    return {
        "allocations", "Live processes", "what a process allocates, and which methods do it",
        "allocations PID|FILE [options] | allocations --run [--exact] [options] -- COMMAND [ARGUMENT...]",
        "  cairn allocations 4242 --duration 30s --html allocations.html\n"
        "      thirty seconds of process 4242: bytes by type, with the methods that most of them come from, and a\n"
        "      flame graph of all stacks as a page of its own. Ctrl-C ends it earlier. On .NET 10 the runtime\n"
        "      samples at random, one allocation in about 100 KB, so that the figures are estimates without bias;\n"
        "      the column ± says how far they may be off in 19 of 20 cases. On .NET 8 and 9 they are approximate.\n"
        "  cairn allocations 4242 --by stack --folded stacks.txt\n"
        "      by stack instead, and all stacks as lines that other flame graph tools read.\n"
        "  cairn allocations shop.cairn\n"
        "      what was sampled before this snapshot, of capture --allocations or watch --allocations.\n"
        "  cairn allocations --exact --run -o exact.txt -- dotnet Shop.dll\n"
        "      starts the command, which keeps the terminal, and counts every allocation by type and stack from its\n"
        "      first moment to its end: exact, and dear. What only allocates runs 70 times as long.\n"
        "      The command's exit code becomes cairn's; 4 where it is 0 and something is missing.\n"};
  }

  void Configure(CommandLine& line) override {
    target_.Configure(line, "PID|FILE");
    line.Duration("--duration", duration_, presentation::BareNumber::kSeconds, "TIME", "how long (30s)");
    line.Choice("--by", by_,
                {{"type", AllocationsBy::kType}, {"stack", AllocationsBy::kStack}, {"method", AllocationsBy::kMethod}},
                "what the rows are (type)");
    line.Text("--folded", folded_, "FILE", "all stacks as folded lines, outermost method first");
    line.Text("--html", html_, "FILE", "a flame graph, as a page without scripts");
    line.Count("--depth", depth_, 1, "N", "how many frames of a stack are kept (32, the most there are)");
    line.Count("--max-overhead", overhead_, 0, "PERCENT",
               "of one core that sampling may take; beyond it fewer samples are looked at (2; 0: any)");
    line.Flag("--exact", exact_, "with --run: count every allocation; dear, see below");
    observed_.ConfigureRun(line);
    observed_.ConfigureOutput(line);
    observed_.ConfigureCommand(line);
    line.Count("--top", top_, 1, "N", "how many rows (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    if (!observed_.IsRun() && !target_.File().empty()) return ReadSnapshot(console);
    CAIRN_TRY(CheckRun());
    auto request = Request();
    if (!request) return tl::make_unexpected(std::move(request).error());
    if (observed_.IsRun()) return RunCommand(console, *request);
    CAIRN_TRY(CheckFiles());
    CatchInterrupts();
    auto session = client::ObservationSession::Start(client::Machine::This(), *request, Interrupted());
    if (!session) return tl::make_unexpected(std::move(session).error());
    if (console.ErrorIsTerminal() || console.verbose)
      console.Note(fmt::format("cairn allocations: sampling process {}; Ctrl-C ends it", (*session)->Pid()));
    NoteWhenStopped(console, "allocations", **session);
    const std::string title = TitleOf((*session)->Pid());
    LiveProfile profile;
    const auto result =
        (*session)->Run([&](std::span<const uint8_t> block) { return profile.Take(block); }, Interrupted());
    if (!result) return tl::make_unexpected(result.error());
    CAIRN_TRY(Tell(console, ReportOf(profile, !result->is_cut), title));
    return NoteEnd(console, "allocations", *result);
  }

 private:
  // While it is there, for its name.
  static std::string TitleOf(int64_t pid) {
    const auto target = client::InspectTarget(client::Machine::This(), pid);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    return Title(target ? client::NameOf(*target) : "", pid, presentation::UtcTime(static_cast<uint64_t>(ns)));
  }
  static std::string Title(const std::string& name, int64_t pid, const std::string& time) {
    return fmt::format("Allocations of {}process {}, {}", name.empty() ? "" : name + ", ", pid, time);
  }

  Result<int> ReadSnapshot(Console& console) const {
    if (duration_ || depth_ || overhead_ || exact_ || observed_.NamesCommand())
      return Fail(ErrorKind::kUsage, "usage.conflict",
                  "--duration, --depth, --max-overhead, --exact and --child are of a process, not of a snapshot",
                  "Leave them out.");
    auto sources = OpenSnapshots({target_.File()});
    if (!sources) return tl::make_unexpected(std::move(sources).error());
    CAIRN_TRY(CheckFiles());
    const NamedSummaries named = Named(*sources);
    const snapshot::Summary& summary = *named.front().summary;
    if (!summary.sampling)
      return Fail(ErrorKind::kFailed, "allocations.none",
                  fmt::format("no allocations were sampled before {} was taken", target_.File()),
                  "cairn capture PID --allocations --duration 30s samples them; cairn allocations PID does without a "
                  "snapshot.");
    AllocationReport report;
    report.sampling = *summary.sampling;
    report.has_costs = false;
    report.complete = named.front().IsComplete();
    LabelIncomplete(console, named);
    CAIRN_TRY(Tell(console, report,
                   Title(summary.process.name, summary.process.pid, "before " + summary.capture.captured_at),
                   presentation::CompletenessFields(named)));
    return ExitCodeFor(named);
  }

  // Before anything is started.
  Status CheckFiles() const {
    if (const std::string& file = observed_.OutputFile(); !file.empty()) {
      CAIRN_TRY(CheckPlace(file, observed_.Overwrites()));
      CAIRN_TRY(CheckWritable(file));
    }
    for (const std::string& file : {folded_, html_})
      if (!file.empty()) CAIRN_TRY(CheckWritable(file));
    return {};
  }

  Status CheckRun() const {
    if (exact_ && !observed_.IsRun())
      return Fail(
          ErrorKind::kUsage, "allocations.exact",
          "Every allocation can only be counted from the start of a process, since its runtime has to be told "
          "before it compiles the first method",
          "cairn allocations --exact --run -- COMMAND starts one; without --exact, ten thousand samples of a type "
          "tell its bytes to within 2 %.");
    if (exact_ && overhead_)
      return Fail(ErrorKind::kUsage, "usage.conflict", "--exact counts everything, whatever the overhead",
                  "Leave out --max-overhead.");
    return observed_.Check(target_);
  }

  Result<int> RunCommand(Console& console, const client::ObservationRequest& request) const {
    CAIRN_TRY(CheckFiles());
    if (exact_) console.Note(fmt::format("cairn allocations: {}", kPriceOfExact));
    ObservedTask task;
    if (!exact_) task.late = [](const Error& why) { return why.message + " What came before the attach is missing."; };
    task.observe = [&](client::ObservationSession& session, bool is_late) {
      return Observe(console, session, is_late);
    };
    return observed_.Run(console, request, task);
  }

  Result<int> Observe(Console& console, client::ObservationSession& session, bool is_late) const {
    NoteWhenStopped(console, "allocations", session);
    const std::string title = TitleOf(session.Pid());
    LiveProfile profile;
    const auto result =
        session.Run([&](std::span<const uint8_t> block) { return profile.Take(block); }, SignalledForCommand());
    if (!result) return tl::make_unexpected(result.error());
    const AllocationReport report = ReportOf(profile, !result->is_cut && !is_late);
    CAIRN_TRY(Tell(console, report, title));
    const int code = NoteEnd(console, "allocations", *result);
    return report.complete ? code : kExitIncomplete;
  }

  // With --run the standard output is the command's.
  Output MakeOutput(const Console& console) const {
    if (!observed_.OutputFile().empty()) return Output(observed_.OutputFile(), observed_.Overwrites());
    if (observed_.IsRun()) return Output(STDERR_FILENO, "the standard error", console.ErrorStyle());
    return Output(STDOUT_FILENO, "the standard output", console.OutStyle());
  }

  Result<client::ObservationRequest> Request() const {
    auto target = observed_.Target(target_);
    if (!target) return tl::make_unexpected(std::move(target).error());
    CAIRN_TRY(CheckObservedTime(duration_));
    if (depth_.value_or(1) > protocol::kMostAllocationDepth)
      return Fail(ErrorKind::kUsage, "usage.bad_value",
                  fmt::format("--depth takes at most {}", protocol::kMostAllocationDepth), "Leave it out.");
    if (overhead_.value_or(0) > 100)
      return Fail(ErrorKind::kUsage, "usage.bad_value", "--max-overhead takes a percentage of one core, at most 100",
                  "0 means that there is no limit.");
    client::ObservationRequest request;
    request.target = std::move(*target);
    request.kind = exact_ ? protocol::ObserverKind::kAllocationCounts : protocol::ObserverKind::kAllocations;
    request.duration = duration_.value_or(observed_.IsRun() ? std::chrono::milliseconds(0) : kUsualDuration);
    request.wishes = Wishes();
    return request;
  }

  std::vector<uint8_t> Wishes() const {
    const auto depth = static_cast<uint32_t>(depth_.value_or(protocol::kMostAllocationDepth));
    stream::RecordWriter writer;
    if (exact_) {
      writer(protocol::AllocationCountWishes{depth});
    } else {
      protocol::AllocationWishes wishes;
      wishes.depth = depth;
      wishes.share_ppm = static_cast<uint32_t>(overhead_.value_or(kUsualOverhead) * 10'000);
      writer(wishes);
    }
    return writer.Take();
  }

  // What did not fit is missing in the rows.
  static void AddCounts(const protocol::AllocationCountCosts& costs, AllocationReport& report) {
    report.counted = true;
    report.without_stack = costs.without_stack;
    report.dropped_bytes = costs.dropped_bytes;
    report.dropped_stacks = costs.dropped_stacks;
    report.complete = report.complete && costs.dropped_objects == 0 && costs.dropped_stacks == 0;
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
    if (profile.IsCounted()) AddCounts(profile.CountCosts(), report);
    return report;
  }

  // `completeness`: the fields of a snapshot.
  Status Tell(Console& console, const AllocationReport& report, const std::string& title,
              const presentation::Json& completeness = {}) const {
    if (!folded_.empty()) {
      CAIRN_TRY(WriteWholeFile(folded_, presentation::FoldedStacks(report.sampling)));
      console.Did(fmt::format("{} was written", folded_));
    }
    if (!html_.empty()) {
      CAIRN_TRY(WriteWholeFile(html_, presentation::FlameGraphPage(report, title)));
      console.Did(fmt::format("{} was written", html_));
    }
    Output output = MakeOutput(console);
    if (console.format == OutputFormat::kJson)
      PrintJson(output, report, completeness);
    else
      Print(console, output, report);
    return output.Finish();
  }

  void PrintJson(Output& output, const AllocationReport& report, const presentation::Json& completeness) const {
    presentation::JsonDocument document(output.Sink());
    if (completeness.contains("problems")) document.Put("problems", completeness["problems"]);
    presentation::PutAllocations(document, report, by_);
    document.Finish();
  }

  void Print(Console& console, Output& output, const AllocationReport& report) const {
    const auto table = presentation::AllocationTable(report.sampling, by_);
    presentation::CsvRows csv(output.Sink());
    presentation::TextTable text(output.Sink(), output.Style());
    const bool is_csv = console.format == OutputFormat::kCsv;
    presentation::Emit(*table, console.Top(top_), is_csv ? static_cast<presentation::RowSink&>(csv) : text);
    if (console.format != OutputFormat::kText) return;
    for (const std::string& note : presentation::AllocationNotes(report)) console.Note("cairn allocations: " + note);
  }

  TargetOptions target_;
  std::optional<std::chrono::milliseconds> duration_;
  AllocationsBy by_ = AllocationsBy::kType;
  std::string folded_, html_;
  std::optional<uint64_t> depth_, overhead_, top_;
  bool exact_ = false;
  ObservedCommand observed_{kWords};
};

}  // namespace

std::unique_ptr<Command> MakeAllocationsCommand() { return std::make_unique<AllocationsCommand>(); }

}  // namespace cairn::cli
