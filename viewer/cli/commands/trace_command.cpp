#include "viewer/cli/commands/trace_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "collector/client/capture_session.h"
#include "collector/client/observation_session.h"
#include "collector/protocol/method_pattern.h"
#include "viewer/cli/forwarded_signals.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/observation_notes.h"
#include "viewer/cli/observed_command.h"
#include "viewer/cli/trace_output.h"
#include "viewer/presentation/quantity.h"

namespace cairn::cli {
namespace {

constexpr uint64_t kUsualMost = 1000;
constexpr const char* kWarning =
    "The methods are compiled anew, with a call before and after each, and put back at the end. From then on the "
    "runtime lets no profiler leave this process: cairn's stays until it ends, takes part in nothing, and captures "
    "with --gc full or --light, traces and logs go on working; captures of a young collection are refused, and other "
    "profilers can no longer be attached. A process with load contexts that can be unloaded is not traced, since it "
    "could not be captured at all any more, but with --forgo-captures.";

constexpr ObservedWords kWords = {
    "trace",
    " --method PATTERN",
    "start the command behind -- and trace it from its first moment; its exit code",
    "with --run: the process to trace, below the command (the first .NET process)",
    "the lines go there (standard output; with --run standard error)",
    "Nothing is traced",
};

tl::unexpected<Error> Usage(std::string code, std::string message, std::string hint) {
  return Fail(ErrorKind::kUsage, "usage." + std::move(code), std::move(message), std::move(hint));
}

class TraceCommand : public Command {
 public:
  CommandText Text() const override {
    return {
        "trace", "Live processes", "entry, exit and duration of methods of a process",
        "trace PID --method PATTERN [options] | trace --run --method PATTERN [options] -- COMMAND [ARGUMENT...]",
        "  cairn trace 4242 --method 'Shop.Order*.Save*' --list\n"
        "      the loaded methods that the pattern names (Namespace.Type+Nested.Method, * for any text, ? for a\n"
        "      character), and which of them cannot be traced, such as those with tail calls; nothing\n"
        "      is changed.\n"
        "  cairn trace 4242 --method 'Shop.Order*.Save*' --yes --duration 30s\n"
        "      a line whenever one of them is entered and left, by which exception where there is one, on which\n"
        "      thread, after how long; then calls and durations of each. At the end, and when cairn is killed,\n"
        "      the methods are put back as they were, but the collector can no longer leave the process.\n"
        "      --summary counts without lines, for methods that are called very often: 0.15 us each.\n"
        "  cairn trace --run --method 'Shop.Program.Main' --method 'Shop.*..cctor' -o start.log -- dotnet Shop.dll\n"
        "      starts the command, which keeps the terminal, and traces its methods from their very first call to\n"
        "      the end: Main, static constructors (..cctor), what is called once. Methods are looked for in each\n"
        "      module as it is loaded. The command's exit code becomes cairn's. On .NET 8 and later.\n"};
  }

  void Configure(CommandLine& line) override {
    target_.Configure(line);
    line.Texts("--method", patterns_, "PATTERN", "methods to trace; may be given several times");
    line.Duration("--duration", duration_, presentation::BareNumber::kSeconds, "TIME",
                  "end after so long (default: at Ctrl-C, or with the process)");
    line.Flag("--summary", summary_, "count calls and durations, without a line for each");
    line.Flag("--list", list_, "only say which methods match; changes nothing");
    line.Flag("--undo", undo_, "end what traces the process, and put its methods back");
    line.Flag("--yes", yes_, "the process may no longer be left by a profiler");
    observed_.ConfigureRun(line);
    observed_.ConfigureOutput(line);
    observed_.ConfigureCommand(line);
    line.Flag("--forgo-captures", forgo_captures_,
              "trace also where load contexts can be unloaded: such a process can never be captured afterwards");
    line.Count("--max-methods", most_, 1, "N",
               "refuse patterns that match more, and list no more (1000; at most 4096)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    auto request = Request();
    if (!request) return tl::make_unexpected(std::move(request).error());
    if (console.format == OutputFormat::kCsv && (summary_ || list_))
      return Usage("conflict", "--csv has one row for each line, and here are none", "Use --json.");
    if (observed_.IsRun()) return RunCommand(console, *request);
    if (!list_ && !undo_) CAIRN_TRY(MakeSure(console));
    auto out = observed_.OpenLines(console);
    if (!out) return tl::make_unexpected(std::move(out).error());
    CatchInterrupts();
    const auto machine = client::Machine::This();
    const auto free = undo_ ? EndTraceOf(machine, *request) : Result<bool>(true);
    if (!free) return tl::make_unexpected(free.error());
    if (!*free) return Undone(console);
    const auto session = client::ObservationSession::Start(machine, *request, Interrupted());
    if (!session) return tl::make_unexpected(Counted(session.error(), *request));
    out->Begin();
    return Follow(console, *out, **session, Interrupted());
  }

 private:
  Result<client::ObservationRequest> Request() const {
    auto target = observed_.Target(target_);
    if (!target) return tl::make_unexpected(std::move(target).error());
    CAIRN_TRY(CheckOptions());
    protocol::MethodWishes wishes;
    wishes.task = undo_   ? protocol::MethodTask::kUndo
                  : list_ ? protocol::MethodTask::kList
                          : protocol::MethodTask::kTrace;
    wishes.patterns = patterns_;
    wishes.most_methods = static_cast<uint32_t>(Most());
    wishes.lines = !summary_;
    wishes.forgo_captures = forgo_captures_;
    client::ObservationRequest request;
    request.target = std::move(*target);
    request.kind = protocol::ObserverKind::kMethods;
    request.wishes = client::MethodLog::Bytes(wishes);
    request.duration = duration_.value_or(std::chrono::milliseconds(0));
    return request;
  }

  Status CheckOptions() const {
    CAIRN_TRY(CheckObservedTime(duration_, kUntilInterrupted));
    CAIRN_TRY(CheckRun());
    if (undo_ && (list_ || !patterns_.empty()))
      return Usage("conflict", "--undo takes no --method and no --list", "cairn trace PID --undo");
    if (undo_) return {};
    if (patterns_.empty())
      return Usage("missing_value", "trace needs --method PATTERN",
                   "For instance --method 'Shop.Order*.Save*'; cairn trace --help shows more.");
    for (const std::string& pattern : patterns_) {
      if (const char* fault = protocol::FaultOfMethodPattern(pattern))
        return Usage("bad_value", fmt::format("--method '{}': {}", pattern, fault),
                     "For instance 'Shop.Order*.Save*': * stands for any text, ? for one character.");
    }
    if (most_.value_or(1) > protocol::kMostTracedMethods)
      return Usage("bad_value", fmt::format("--max-methods {}: at most 4096", *most_), "Narrow the pattern.");
    return {};
  }

  Status CheckRun() const {
    CAIRN_TRY(observed_.Check(target_));
    if (observed_.IsRun() && (list_ || undo_))
      return Usage("conflict", "--list and --undo are about a process that runs already", "Leave out --run.");
    return {};
  }

  // What a pattern names may be loaded at any time, so a trace that is late is none.
  Result<int> RunCommand(Console& console, const client::ObservationRequest& request) const {
    auto out = observed_.OpenLines(console);
    if (!out) return tl::make_unexpected(std::move(out).error());
    ObservedTask task;
    task.on_started = [&] { out->Begin(); };
    task.observe = [&](client::ObservationSession& session, bool) {
      return Follow(console, *out, session, SignalledForCommand());
    };
    return observed_.Run(console, request, task);
  }

  Status MakeSure(Console& console) const {
    if (yes_) return {};
    const auto refusal = [] {
      return Usage("needs_yes", "after a trace no profiler can leave the process any more",
                   fmt::format("Pass --yes if that may be, or --list to see what matches. {}", kWarning));
    };
    if (isatty(STDIN_FILENO) == 0 || !console.ErrorIsTerminal()) return refusal();
    console.Note(kWarning);
    console.NoteRaw("Go on? [y/N] ");
    std::string answer;
    std::getline(std::cin, answer);
    if (answer == "y" || answer == "Y" || answer == "yes") return {};
    return refusal();
  }

  // Somebody else's trace: its collector puts the methods back and stays. False: another observation goes on there,
  // which is left alone.
  static Result<bool> EndTraceOf(const client::Machine& machine, const client::ObservationRequest& request) {
    const auto pid = client::ResolveTarget(request.target);
    if (!pid) return tl::make_unexpected(pid.error());
    return client::EndTrace(machine, *pid);
  }

  Result<int> Follow(Console& console, LineOutput& out, client::ObservationSession& session,
                     const std::atomic<bool>& cancel) const {
    TraceOutput output(console, out.sink, out.style);
    client::MethodLog log(
        [&](const client::LoggedCall& call) { return output.Call(call, session.RealtimeNs(call.time_ns)); },
        [&](const protocol::TracedMethod& method) { NoteLeftAlone(console, method); },
        [&](uint32_t methods) {
          NoteBegin(console, methods, session.Pid());
          output.Begin();
        });
    NoteWhenStopped(console, "trace", session);
    const auto take = [&](std::span<const uint8_t> block) -> Status {
      CAIRN_TRY(log.Take(block));
      return output.Flush();
    };
    const auto result = session.Run(take, cancel);
    if (!result && result.error().code == "output.closed") return kExitDone;
    if (!result) return tl::make_unexpected(result.error());
    if (result->is_cut && !list_ && !undo_) FindSums(log, *result, session.Pid());
    return Ended(console, output, log, *result);
  }

  // A trace that was cut off is asked for what it counted, as long as its process is there; else what was printed is
  // summed up.
  void FindSums(client::MethodLog& log, const client::ObservationResult& result, int64_t pid) const {
    using client::ObservationEnding;
    if (result.ending == ObservationEnding::kCutOff || result.ending == ObservationEnding::kRefused)
      AskForSums(log, pid);
    if (!log.HasTotals()) log.TakeTotalsOfCalls();
  }

  void AskForSums(client::MethodLog& log, int64_t pid) const {
    protocol::MethodWishes wishes;
    wishes.task = protocol::MethodTask::kSums;
    wishes.session = log.Session();
    wishes.most_methods = static_cast<uint32_t>(log.Methods().size());
    client::TargetName target;
    target.pid = pid;
    const auto told = Asked(target, wishes);
    if (told && told->HasTotals()) log.TakeTotalsOf(*told, !summary_);
  }

  // None where the process does not answer any more.
  static std::optional<client::MethodLog> Asked(const client::TargetName& target,
                                                const protocol::MethodWishes& wishes) {
    client::ObservationRequest request;
    request.target = target;
    request.kind = protocol::ObserverKind::kMethods;
    request.wishes = client::MethodLog::Bytes(wishes);
    const std::atomic<bool> never{false};
    const auto session = client::ObservationSession::Start(client::Machine::This(), request, never);
    if (!session) return std::nullopt;
    client::MethodLog told([](const client::LoggedCall&) { return Status(); }, [](const protocol::TracedMethod&) {},
                           [](uint32_t) {});
    const auto asked = (*session)->Run([&](std::span<const uint8_t> block) { return told.Take(block); }, never);
    return asked ? std::optional(std::move(told)) : std::nullopt;
  }

  uint64_t Most() const { return most_.value_or(kUsualMost); }

  // A refusal for too many says how many there are.
  Error Counted(Error refusal, const client::ObservationRequest& request) const {
    if (refusal.code != "methods.too_many") return refusal;
    protocol::MethodWishes wishes;
    wishes.task = protocol::MethodTask::kList;
    wishes.patterns = patterns_;
    wishes.most_methods = 1;
    const auto told = Asked(request.target, wishes);
    if (!told) return refusal;
    refusal.message = TooMany(told->Matched());
    refusal.hint =
        told->Matched() > protocol::kMostTracedMethods
            ? "Narrow the pattern; --list shows what matches."
            : fmt::format("Narrow the pattern, or pass --max-methods {}; --list shows what matches.", told->Matched());
    return refusal;
  }

  std::string TooMany(uint64_t matched) const {
    return fmt::format("{} match, and a trace takes {} of them at most{}.",
                       presentation::Counted(matched, "method", "methods"), presentation::GroupedCount(Most()),
                       Most() < protocol::kMostTracedMethods ? " (--max-methods raises it up to 4,096)" : "");
  }

  void NoteBegin(Console& console, uint32_t methods, int64_t pid) const {
    if (!observed_.IsRun())
      return console.Note(fmt::format("tracing {}; Ctrl-C ends it and puts them back",
                                      presentation::Counted(methods, "method", "methods")));
    if (console.verbose) console.Note(fmt::format("cairn trace: tracing process {} from its start", pid));
  }

  void NoteLeftAlone(Console& console, const protocol::TracedMethod& method) const {
    if (!list_ && !method.not_traced.empty())
      console.Note(fmt::format("{} is not traced. {}", method.name, method.not_traced));
  }

  Result<int> Ended(Console& console, TraceOutput& output, const client::MethodLog& log,
                    const client::ObservationResult& result) const {
    if (list_) {
      output.List(log);
      if (log.Matched() > log.Methods().size())
        console.Note(fmt::format("… and {} more. {} Narrow the pattern.",
                                 presentation::GroupedCount(log.Matched() - log.Methods().size()),
                                 TooMany(log.Matched())));
    } else if (undo_) {
      Undone(console);
    } else {
      output.End(log, !result.is_cut, !summary_);
    }
    CAIRN_TRY(output.Flush());
    const int code = NoteEnd(console, "trace", result);
    return observed_.IsRun() ? EndedRun(console, log, code) : code;
  }

  // What was not traced is missing.
  int EndedRun(Console& console, const client::MethodLog& log, int code) const {
    if (log.Methods().empty()) console.Note("cairn trace: no method of a module that was loaded matched.");
    if (log.Matched() <= Most()) return code;
    console.Note(fmt::format("cairn trace: {} Those that came first were traced.", TooMany(log.Matched())));
    return kExitIncomplete;
  }

  static int Undone(Console& console) {
    if (console.format != OutputFormat::kJson) {
      console.Print("nothing of a trace is left\n");
      return kExitDone;
    }
    presentation::JsonDocument document(console.Out());
    document.Put("undone", true);
    document.Finish();
    return kExitDone;
  }

  TargetOptions target_;
  std::vector<std::string> patterns_;
  std::optional<std::chrono::milliseconds> duration_;
  std::optional<uint64_t> most_;
  bool summary_ = false, list_ = false, undo_ = false, yes_ = false, forgo_captures_ = false;
  ObservedCommand observed_{kWords};
};

}  // namespace

std::unique_ptr<Command> MakeTraceCommand() { return std::make_unique<TraceCommand>(); }

}  // namespace cairn::cli
