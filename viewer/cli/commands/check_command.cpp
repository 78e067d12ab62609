#include "viewer/cli/commands/check_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "viewer/check/known_leaks.h"
#include "viewer/check/rules_reader.h"
#include "viewer/cli/check_inputs.h"
#include "viewer/cli/file_output.h"
#include "viewer/cli/locals_option.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/documents/check_document.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/render/check_reports.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {
namespace {

using check::Base;
using check::Policy;
using presentation::CheckReport;
using presentation::ReportKind;

struct ReportFile {
  ReportKind kind{};
  std::string path;
};

class CheckCommand : public Command {
 public:
  CommandText Text() const override {
    return {
        "check", "Leak tests", "leak rules over a snapshot; exit 1 when one is broken",
        "check HEAD [--base BASE] --rules RULES [options]",
        "  cairn check after.cairn --base before.cairn --rules leaks.toml --report junit=leaks.xml\n"
        "      with leaks.toml, for example:\n"
        "\n"
        "      [[limit]]                     # together; also max_bytes, max_retained = \"10MB\"\n"
        "      type = \"Shop.Order\"\n"
        "      max_objects = 1000\n"
        "      [[no_growth]]                 # against --base, path by path; by = \"type\"\n"
        "      type = \"Shop.*\"\n"
        "      [[held_only_by]]              # or \"timer\", \"static_collection\"\n"
        "      holder = \"event\"\n"
        "      type = \"Shop.*View\"\n"
        "      [[collectible_contexts]]      # load contexts that were not unloaded\n"
        "      [[ignore]]                    # also rule, fingerprint, path\n"
        "      type = \"Shop.Order\"\n"
        "      reason = \"until the new cache is there\"\n"
        "      until = 2027-01-31\n"
        "\n"
        "  cairn check after.cairn --rules leaks.toml --write-baseline known.toml\n"
        "      lets everything pass that is there today; later --baseline known.toml fails for new leaks and for\n"
        "      those that grew (in objects or bytes retained; baseline_tolerance = 10 in the rules: by more than "
        "10 %).\n"
        "  Exit 0: no leak; 1: a leak, also where nothing can be said of another rule; 3: none was found, but nothing\n"
        "  can be said of a rule, as where no type matches its pattern, which may be misspelt, or a file is missing;\n"
        "  4: a snapshot is incomplete. Where all objects may rightly be gone, the rule says so: may_be_absent = true\n"
        "  (as it is where a rule forbids all of them, with max_objects = 0).\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("HEAD", head_, true, "a snapshot, best captured with --gc full");
    line.Text("--base", base_, "BASE", "an earlier snapshot of the same program");
    line.Text("--rules", rules_, "RULES", "the rules, a TOML file");
    line.Text("--baseline", baseline_, "FILE", "leaks that were there before: they count only if they grew");
    line.Text("--write-baseline", write_baseline_, "FILE", "take all leaks into a baseline; exit 0");
    locals_.Configure(line);
    line.Texts("--report", reports_, "KIND=FILE", "also junit=, sarif=, md=, html=, json=, text=FILE");
    line.Count("--top", top_, 1, "N", "how many violations (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    CAIRN_TRY(locals_.Read());
    auto files = ReportFiles();
    if (!files) return tl::make_unexpected(std::move(files).error());
    auto policy = ReadPolicy();
    // Also where nothing can be said: the report of an earlier run would else be published as that of this one.
    for (const ReportFile& file : *files) CAIRN_TRY(ClearForWriting(file.path));
    if (!policy) return tl::make_unexpected(std::move(policy).error());
    if (!write_baseline_.empty()) CAIRN_TRY(CheckWritable(write_baseline_));
    auto sources = OpenSnapshots(base_.empty() ? std::vector{head_} : std::vector{base_, head_});
    if (!sources) return tl::make_unexpected(std::move(sources).error());
    NamedSummaries named = Named(*sources);
    auto base = ReadBase(console, named.front());
    if (!base) return tl::make_unexpected(std::move(base).error());
    auto head = locals_.Open(head_);
    if (!head) return tl::make_unexpected(std::move(head).error());
    const bool with_heap = std::any_of(files->begin(), files->end(),
                                       [](const ReportFile& file) { return presentation::ShowsHeap(file.kind); });
    auto report =
        Asked(console, *head->session, named.back(), [&](session::SnapshotSession& session, analysis::Work& work) {
          return Judged(session, base_.empty() ? nullptr : &*base, *policy, with_heap, work);
        });
    if (!report) return tl::make_unexpected(std::move(report).error());
    Complete(named, *report);
    CAIRN_TRY(TakeBaseline(console, *report));
    for (const ReportFile& file : *files)
      CAIRN_TRY(WriteWholeFile(file.path, presentation::RenderReport(file.kind, *report)));
    Print(console, named, *report);
    return ExitCode(*report);
  }

 private:
  Result<std::vector<ReportFile>> ReportFiles() const {
    std::vector<ReportFile> files;
    for (const std::string& text : reports_) {
      const size_t equals = text.find('=');
      const auto kind = presentation::ParseReportKind(text.substr(0, equals));
      if (equals == std::string::npos || equals + 1 == text.size() || !kind)
        return Fail(ErrorKind::kUsage, "usage.bad_value", fmt::format("--report takes KIND=FILE, not '{}'", text),
                    "KIND is junit, sarif, md, html, json or text.");
      files.push_back({*kind, text.substr(equals + 1)});
    }
    return files;
  }

  // Everything that is written in files is looked at before the first long computation.
  Result<Policy> ReadPolicy() const {
    if (rules_.empty())
      return Fail(ErrorKind::kUsage, "usage.missing_argument", "check needs --rules RULES",
                  "cairn check --help shows a rules file.");
    const check::Words words = CheckWords();
    Policy policy;
    auto rules = check::ReadRules(rules_, words);
    if (!rules) return tl::make_unexpected(std::move(rules).error());
    policy.rules = std::move(*rules);
    auto known = check::BuiltInKnownLeaks(words);
    if (!known) return tl::make_unexpected(std::move(known).error());
    policy.known_leaks = std::move(*known);
    policy.today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    if (baseline_.empty()) return policy;
    auto baseline = check::ReadBaseline(baseline_);
    if (!baseline) return tl::make_unexpected(std::move(baseline).error());
    policy.baseline = std::move(*baseline);
    return policy;
  }

  // Its graph is gone before that of the other snapshot comes.
  Result<Base> ReadBase(Console& console, presentation::NamedSummary& named) const {
    if (base_.empty()) return Base();
    auto opened = locals_.Open(base_);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    return Asked(console, *opened->session, named, [](session::SnapshotSession& session, analysis::Work& work) {
      return check::ReadBase(session, work);
    });
  }

  Result<CheckReport> Judged(session::SnapshotSession& session, const Base* base, Policy& policy, bool with_heap,
                             analysis::Work& work) {
    auto verdict = check::Judge(session, base, policy, work);
    if (!verdict) return tl::make_unexpected(std::move(verdict).error());
    rule_set_ = policy.rules;
    CheckReport report;
    report.head = head_;
    report.base = base_;
    report.summary = &session.GetSummary();
    report.rules = &rule_set_;
    report.verdict = std::move(*verdict);
    if (with_heap) CAIRN_TRY(presentation::DescribeHeap(session, base, report, work));
    CAIRN_TRY(presentation::DescribeAllocations(session, report, work));
    return report;
  }

  static void Complete(const NamedSummaries& named, CheckReport& report) {
    for (const presentation::NamedSummary& snapshot : named) {
      report.complete = report.complete && snapshot.IsComplete();
      for (const auto* list : {&snapshot.summary->problems, &snapshot.found})
        for (const snapshot::Problem& problem : *list)
          report.problems.push_back({problem.code, snapshot.path + ": " + problem.message, problem.incomplete});
    }
  }

  // What it takes in no longer counts.
  Status TakeBaseline(Console& console, CheckReport& report) const {
    if (write_baseline_.empty()) return {};
    if (!report.complete)
      return Fail(ErrorKind::kDamaged, "check.incomplete",
                  "no baseline is written: a snapshot is incomplete (cairn info says why)",
                  "Capture again; a baseline of a part of the heap would let leaks pass for new.");
    const check::Baseline baseline = check::NewBaseline(*report.rules, report.verdict);
    CAIRN_TRY(WriteWholeFile(write_baseline_, presentation::ValidUtf8(check::BaselineText(baseline))));
    check::AcceptAll(*report.rules, report.verdict);
    console.Note(
        fmt::format("{} written: {}", write_baseline_, presentation::Counted(baseline.Count(), "leak", "leaks")));
    return {};
  }

  void Print(Console& console, const NamedSummaries& named, const CheckReport& report) const {
    if (console.format == OutputFormat::kJson) {
      presentation::JsonDocument document(console.Out());
      document.PutAll(presentation::CompletenessFields(named));
      document.PutAll(presentation::CheckFields(report, console.Top(top_)));
      return document.Finish();
    }
    LabelIncomplete(console, named);
    for (const std::string& warning : report.verdict.warnings) console.Note("warning: " + warning);
    // Rows are of violations only.
    if (console.format == OutputFormat::kCsv)
      for (const check::Unjudged& each : report.verdict.unjudged) console.Note(each.why);
    if (console.format == OutputFormat::kCsv)
      return PrintTable(console, presentation::ViolationsTable(report), console.Top(top_));
    presentation::WriteCheckText(report, console.Top(top_), console.OutStyle(), console.Out());
  }

  // Of a part of a heap neither can be said that it leaks nor that it does not. A leak that was found is one, whatever
  // the other rules say.
  static int ExitCode(const CheckReport& report) {
    if (!report.complete) return kExitIncomplete;
    if (!report.verdict.violations.empty()) return kExitCheckFailed;
    return report.verdict.unjudged.empty() ? kExitDone : kExitFailed;
  }

  std::string head_, base_, rules_, baseline_, write_baseline_;
  std::vector<std::string> reports_;
  LocalsOption locals_;
  std::optional<uint64_t> top_;
  check::RuleSet rule_set_;  // what the report refers to
};

}  // namespace

std::unique_ptr<Command> MakeCheckCommand() { return std::make_unique<CheckCommand>(); }

}  // namespace cairn::cli
