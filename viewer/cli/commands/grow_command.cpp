#include "viewer/cli/commands/grow_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "collector/client/capture_session.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/locals_option.h"
#include "viewer/cli/progress.h"
#include "viewer/cli/scenario.h"
#include "viewer/cli/snapshot_folder.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/cli/target_options.h"
#include "viewer/presentation/documents/grow_document.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"
#include "viewer/session/steady_growth.h"

namespace cairn::cli {
namespace {

using presentation::GrowReport;
using session::SteadyGrowth;

// What is kept of a snapshot once its graph is gone.
struct Kept {
  std::vector<session::PathGroup> groups;
  std::vector<std::string> type_names;
  std::vector<bool> wanted;
};

class GrowCommand : public Command {
 public:
  CommandText Text() const override {
    return {"grow", "Leak tests",
            "run a scenario again and again, and find what grows with it; exit 1 when something does",
            "grow PID --scenario COMMAND | --from FILE --from FILE… [options]",
            "  cairn grow 4242 --scenario 'curl -fsS http://localhost:5000/subscribe' --iterations 20 --snapshots 4\n"
            "      runs the command once to warm up, then 20 times between each of 4 full captures, and lists the\n"
            "      paths on which at least one object is added with every iteration, from every capture to the next.\n"
            "      Ends early when nothing grows. The command finds CAIRN_PID and CAIRN_ITERATION in its environment.\n"
            "  Snapshots are removed unless something grows; -o DIR keeps them.\n"
            "  cairn grow --from 1.cairn --from 2.cairn --from 3.cairn --iterations 20\n"
            "      the same of snapshots that are there, 20 iterations apart. Two of them can only show that nothing\n"
            "      grows: what grew once may not grow again.\n"};
  }

  void Configure(CommandLine& line) override {
    target_.Configure(line);
    line.Text("--scenario", scenario_, "COMMAND", "what is done again and again, by /bin/sh");
    line.Texts("--from", from_, "FILE", "a snapshot that is there, instead of a scenario; the oldest first");
    line.Count("--iterations", iterations_, 1, "K", "how often between two captures (10)");
    line.Count("--snapshots", snapshots_, 3, "N", "how many captures (4)");
    line.Count("--warm-up", warm_up_, 0, "W", "how often before the first one (1)");
    line.Count("--min-objects", min_objects_, 1, "M",
               "growth that counts: objects per iteration (1); one may be on a stack");
    line.Text("--min-bytes", min_bytes_, "SIZE", "also growth of so many bytes per iteration, in fewer objects");
    line.Text("--type", type_, "PATTERN", "growth of these types only");
    line.Flag("--may-be-absent", may_be_absent_, "no object of --type need be there; else a misspelt one would pass");
    locals_.Configure(line);
    line.Text("-o,--output", output_, "DIR", "keep the snapshots there");
    line.Count("--top", top_, 1, "N", "how many paths (text: 30; JSON: all)");
  }

  Result<int> Run(Console& console) override {
    CAIRN_TRY(locals_.Read());
    if (!from_.empty()) return RunOverFiles(console);
    auto target = target_.Target("grow");
    if (!target) return tl::make_unexpected(std::move(target).error());
    if (scenario_.empty())
      return Fail(ErrorKind::kUsage, "usage.missing_argument", "grow needs --scenario COMMAND",
                  "cairn grow --help shows an example.");
    CAIRN_TRY(ReadOptions());
    auto folder = SnapshotFolder::Make(output_);
    if (!folder) return tl::make_unexpected(std::move(folder).error());
    CatchInterrupts();
    const auto pid = client::ResolveTarget(*target);
    if (!pid) return tl::make_unexpected(pid.error());
    pid_ = *pid;
    request_.target = std::move(*target);
    request_.gc = protocol::GcRequest::kFull;
    CAIRN_TRY(Grow(console, *folder));
    CAIRN_TRY(ExpectMatch());
    if (!report_.growing.empty() || !report_.complete) folder->Keep();
    Print(console, folder->IsTemporary());
    if (!folder->IsTemporary() && console.format != OutputFormat::kJson)
      console.Note(fmt::format("the snapshots are in {}", presentation::VisibleText(folder->Path())));
    return ExitCode();
  }

 private:
  Result<int> RunOverFiles(Console& console) {
    if (target_.IsGiven() || !scenario_.empty() || snapshots_ || warm_up_ || !output_.empty())
      return Fail(ErrorKind::kUsage, "usage.conflict", "--from judges snapshots that are there; nothing is captured",
                  "Leave out the process, --scenario, --snapshots, --warm-up and -o, or --from.");
    if (from_.size() < 2)
      return Fail(ErrorKind::kUsage, "usage.missing_argument", "growth is between at least two snapshots",
                  "As in: cairn grow --from 1.cairn --from 2.cairn --from 3.cairn");
    CAIRN_TRY(ReadOptions());
    report_.planned_snapshots = from_.size();
    SteadyGrowth growth(min_objects_.value_or(1) * report_.iterations, least_bytes_);
    for (const std::string& path : from_) {
      report_.snapshots.push_back(path);
      CAIRN_TRY(Read(console, growth));
      if (!report_.complete || !growth.MayGrow()) break;
    }
    CAIRN_TRY(ExpectMatch());
    if (report_.complete) TakeGrowth(growth);
    Print(console, false);
    return ExitCode();
  }

  // A pattern that matches nothing is most often a mistake in its spelling, and would be green for ever.
  Status ExpectMatch() const {
    if (!pattern_ || matched_ || may_be_absent_ || !report_.complete) return {};
    return Fail(ErrorKind::kFailed, "grow.no_such_type",
                fmt::format("no type of the snapshots matches {}, so that nothing can be said", type_),
                "Check its spelling (cairn types lists names). Where all may rightly be gone: --may-be-absent.");
  }

  int ExitCode() const {
    if (!report_.complete) return kExitIncomplete;
    return report_.growing.empty() ? kExitDone : kExitCheckFailed;
  }

  void TakeGrowth(const SteadyGrowth& growth) {
    report_.growing = growth.MayGrow() ? growth.Growing() : std::vector<session::GrowingPath>();
  }

  Status ReadOptions() {
    report_.iterations = iterations_.value_or(10);
    report_.planned_snapshots = snapshots_.value_or(4);
    auto pattern = ParsePattern(type_);
    if (!pattern) return tl::make_unexpected(std::move(pattern).error());
    pattern_ = std::move(*pattern);
    if (min_bytes_.empty()) return {};
    const auto size = presentation::ParseSize(min_bytes_);
    if (!size) return tl::make_unexpected(size.error());
    least_bytes_ = *size * report_.iterations;
    return {};
  }

  Status Grow(Console& console, const SnapshotFolder& folder) {
    SteadyGrowth growth(min_objects_.value_or(1) * report_.iterations, least_bytes_);
    for (uint64_t i = 0; i < warm_up_.value_or(1); ++i) CAIRN_TRY(Iterate());
    for (uint64_t number = 1; number <= report_.planned_snapshots; ++number) {
      if (number > 1)
        for (uint64_t i = 0; i < report_.iterations; ++i) CAIRN_TRY(Iterate());
      CAIRN_TRY(Capture(console, folder, number));
      CAIRN_TRY(Read(console, growth));
      if (!report_.complete) return {};
      if (!growth.MayGrow()) break;
    }
    TakeGrowth(growth);
    return {};
  }

  Status Iterate() { return RunScenario(scenario_, pid_, ++iteration_, Interrupted()); }

  Status Capture(Console& console, const SnapshotFolder& folder, uint64_t number) {
    request_.output = fmt::format("{}/grow-{}.cairn", folder.Path(), number);
    Progress progress(console);
    const auto captured = client::Capture(
        request_,
        [&](const client::CaptureProgress& at) {
          progress.Show(at.text.empty() ? protocol::StateName(at.state) : at.text, at.done, at.total);
        },
        Interrupted());
    if (!captured) return tl::make_unexpected(captured.error());
    report_.snapshots.push_back(captured->path);
    return {};
  }

  // Its graph is gone before the next capture.
  Status Read(Console& console, SteadyGrowth& growth) {
    auto opened = locals_.Open(report_.snapshots.back());
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    auto kept = Asked(console, *opened, [&](session::SnapshotSession& session, analysis::Work& work) {
      return session.PathGroups({}, work).map([&](std::vector<session::PathGroup> groups) {
        auto names = presentation::TypeNames(session.GetSummary());
        auto wanted = pattern_ ? pattern_->Select(names) : std::vector<bool>(names.size(), true);
        return Kept{std::move(groups), std::move(names), std::move(wanted)};
      });
    });
    if (!kept) return tl::make_unexpected(std::move(kept).error());
    report_.complete = opened->named.front().IsComplete();
    AddProblems(opened->named.front());
    matched_ = matched_ || std::find(kept->wanted.begin(), kept->wanted.end(), true) != kept->wanted.end();
    growth.Add(std::move(kept->groups), std::move(kept->type_names), kept->wanted);
    return {};
  }

  void AddProblems(const presentation::NamedSummary& named) {
    for (const auto* list : {&named.summary->problems, &named.found})
      for (const snapshot::Problem& problem : *list)
        problems_.push_back(presentation::ProblemEntry(problem.code, named.path + ": " + problem.message));
  }

  void Print(Console& console, bool are_removed) const {
    GrowReport report = report_;
    // What is removed in a moment is no place to send anybody to.
    if (are_removed)
      for (std::string& path : report.snapshots) path.erase(0, path.rfind('/') + 1);
    if (console.format == OutputFormat::kJson) {
      presentation::JsonDocument document(console.Out());
      document.Put("complete", report.complete);
      document.Put("problems", problems_);
      document.PutAll(presentation::GrowFields(report, console.Top(top_)));
      return document.Finish();
    }
    presentation::WriteGrowText(report, console.Top(top_), console.OutStyle(), console.Out());
  }

  TargetOptions target_;
  LocalsOption locals_;
  std::vector<std::string> from_;
  std::string scenario_, type_, output_, min_bytes_;
  std::optional<uint64_t> iterations_, snapshots_, warm_up_, min_objects_, top_;
  std::optional<presentation::TypePattern> pattern_;
  bool may_be_absent_ = false, matched_ = false;
  uint64_t least_bytes_ = 0, iteration_ = 0;
  int64_t pid_ = 0;
  client::CaptureRequest request_;
  GrowReport report_;
  presentation::Json problems_ = presentation::Json::array();
};

}  // namespace

std::unique_ptr<Command> MakeGrowCommand() { return std::make_unique<GrowCommand>(); }

}  // namespace cairn::cli
