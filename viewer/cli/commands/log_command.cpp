#include "viewer/cli/commands/log_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include "collector/client/observation_session.h"
#include "collector/client/observed_run.h"
#include "snapshot-format/stream/records.h"
#include "viewer/cli/event_filter.h"
#include "viewer/cli/event_output.h"
#include "viewer/cli/file_output.h"
#include "viewer/cli/forwarded_signals.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/observation_notes.h"
#include "viewer/cli/target_options.h"
#include "viewer/presentation/quantity.h"

namespace cairn::cli {
namespace {

constexpr uint64_t kRings = 8;  // of the collector, which makes each at least 64 KiB large
constexpr uint64_t kSmallestBuffer = kRings * (64u << 10), kLargestBuffer = 1u << 30;
constexpr const char* kUsualEvents = "loader,thread,exception,gc,contention,threadpool";

const char* EndName(client::ObservationEnding ending) {
  switch (ending) {
    case client::ObservationEnding::kDuration:
      return "duration";
    case client::ObservationEnding::kCancelled:
      return "interrupted";
    case client::ObservationEnding::kTargetExited:
      return "target exited";
    case client::ObservationEnding::kTargetStopped:
      return "target stopped";
    case client::ObservationEnding::kCutOff:
      return "cut off";
    case client::ObservationEnding::kRefused:
      return "the collector gave up";
    default:
      return "the collector was asked to leave";
  }
}

// Blocks of the collector → lines.
class LogWriter {
 public:
  LogWriter(FdSink& out, bool json, const EventFilter& filter, const client::ObservationSession& session)
      : out_(out), json_(json), filter_(filter), session_(session) {}

  Status Take(std::span<const uint8_t> block) {
    protocol::LoggedEvent event;
    stream::RecordReader reader(block);
    reader(event);
    if (!reader.Complete())
      return Fail(ErrorKind::kFailed, "stream.block", "An event of the collector cannot be read.",
                  "Use a collector library and a cairn of the same build.");
    if (event.event == "lost" && !event.values.empty()) lost_ += event.values.front().number;
    if (!filter_.Shows(event)) return {};
    const uint64_t time = session_.RealtimeNs(event.time_ns);
    ++shown_;
    return out_.Write(json_ ? EventJson(event, time) : EventLine(event, time)) ? Status() : Closed();
  }

  // What cannot be written ends the log, whether more comes or not.
  Status Flush() {
    out_.Flush();
    return out_.Write({}) ? Status() : Closed();
  }
  uint64_t Shown() const { return shown_; }
  uint64_t Lost() const { return lost_; }

 private:
  static Status Closed() { return Fail(ErrorKind::kFailed, "output.closed", "Nobody reads the log any more.", ""); }

  FdSink& out_;
  const bool json_;
  const EventFilter& filter_;
  const client::ObservationSession& session_;
  uint64_t shown_ = 0, lost_ = 0;
};

class LogCommand : public Command {
 public:
  CommandText Text() const override {
    return {
        "log", "Live processes", "what the runtime does, event by event",
        "log PID [--events KINDS] [options] | log --run [options] -- COMMAND [ARGUMENT...]",
        "  cairn log 4242 --events exception,gc --duration 30s\n"
        "      thirty seconds of process 4242: one line for each exception and each step of a collection, with\n"
        "      time, thread, type and method. Without --duration it goes on until Ctrl-C or the end of the\n"
        "      process.\n"
        "  cairn log 4242 --events loader,jit --filter module:Shop.dll --json\n"
        "      one JSON document a line. Where events come faster than they can be sent, whole kinds are left\n"
        "      out for a while; each gap is a line of its own with the number, and the exit code is 4.\n"
        "  cairn log --run --events jit -o jit.log -- dotnet Shop.dll\n"
        "      starts the command, which keeps the terminal, and logs it into a file from its very first module on.\n"
        "      Its exit code becomes cairn's; 4 where it is 0 and something is missing.\n"};
  }

  void Configure(CommandLine& line) override {
    target_.Configure(line);
    line.Text("--events", events_, "KINDS",
              "loader, class, jit, thread, exception, gc, suspend, contention, threadpool, all (without class, jit, "
              "suspend)");
    line.Texts("--filter", filters_, "PATTERN",
               "only events whose type, method or module fits; type:, method: or module: before it for one of them");
    line.Text("--buffer", buffer_, "SIZE", "room in the process for events that were not sent yet (16MiB)");
    line.Text("-o,--output", output_, "FILE", "the log goes there (standard output; with --run standard error)");
    line.Flag("--force", overwrite_, "replace FILE where it exists");
    line.Flag("--run", run_, "start the command behind -- and log it from its first moment; its exit code");
    line.Text("--child", child_, "NAME", "with --run: the process to log, below the command (the first .NET process)");
    line.Rest(command_);
    line.Duration("--duration", duration_, presentation::BareNumber::kSeconds, "TIME", "how long (until Ctrl-C)");
  }

  Result<int> Run(Console& console) override {
    auto filter = EventFilter::Parse(filters_);
    if (!filter) return tl::make_unexpected(std::move(filter).error());
    auto request = Request();
    if (!request) return tl::make_unexpected(std::move(request).error());
    if (!run_) return LogProcess(console, *filter, *request);
    return RunCommand(console, *filter, *request);
  }

 private:
  Result<client::ObservationRequest> Request() const {
    CAIRN_TRY(CheckRun());
    CAIRN_TRY(CheckObservedTime(duration_, kUntilInterrupted));
    auto target = run_ ? Result<client::TargetName>(client::TargetName()) : target_.Target("log");
    if (!target) return tl::make_unexpected(std::move(target).error());
    const auto groups = ParseEventGroups(events_);
    if (!groups) return tl::make_unexpected(groups.error());
    client::ObservationRequest request;
    request.target = std::move(*target);
    request.kind = protocol::ObserverKind::kEvents;
    if (duration_) request.duration = *duration_;
    stream::RecordWriter wishes;
    const auto buffer = presentation::ParseSize(buffer_);
    if (!buffer) return tl::make_unexpected(buffer.error());
    if (*buffer < kSmallestBuffer || *buffer > kLargestBuffer)
      return Fail(ErrorKind::kUsage, "usage.bad_value", fmt::format("--buffer takes 512KiB to 1GiB, not '{}'", buffer_),
                  "16MiB is what it is without it.");
    wishes(protocol::EventWishes{*groups, *buffer / kRings});
    request.wishes = wishes.Take();
    return request;
  }

  Status CheckRun() const {
    if (run_ && command_.empty())
      return Fail(ErrorKind::kUsage, "usage.missing_argument", "log --run needs a command to start",
                  "cairn log --run -o FILE -- COMMAND [ARGUMENT...]");
    if (run_ ? target_.IsGiven() : !command_.empty() || !child_.empty())
      return Fail(ErrorKind::kUsage, "usage.conflict", "log takes a process, or --run and a command",
                  "cairn log PID, or cairn log --run -- COMMAND [ARGUMENT...]");
    return {};
  }

  // With --run the standard output is the command's.
  Result<int> OpenOutput() const {
    if (output_.empty()) return run_ ? STDERR_FILENO : STDOUT_FILENO;
    return OpenForLines(output_, overwrite_);
  }

  // Once it is clear that there is a log.
  void Begin(int file) const {
    if (!output_.empty()) EmptyBeforeWriting(file);
  }

  std::string OutputName() const {
    if (!output_.empty()) return output_;
    return run_ ? "the standard error" : "the standard output";
  }

  Result<int> LogProcess(Console& console, const EventFilter& filter, const client::ObservationRequest& request) {
    const auto file = OpenOutput();
    if (!file) return tl::make_unexpected(file.error());
    FdSink out(*file, OutputName());
    CatchInterrupts();
    auto session = client::ObservationSession::Start(client::Machine::This(), request, Interrupted());
    if (!session) return tl::make_unexpected(std::move(session).error());
    Begin(*file);
    return Log(console, out, filter, **session, Interrupted());
  }

  // The command's exit code; where that is 0, whether the log is all there.
  Result<int> RunCommand(Console& console, const EventFilter& filter, const client::ObservationRequest& request) {
    const auto file = OpenOutput();
    if (!file) return tl::make_unexpected(file.error());
    FdSink out(*file, OutputName());
    CatchForCommand();
    int code = kExitDone;
    bool is_late = false;
    client::ObservedRun run{command_, child_, request, {}, ForwardNoMore, {}};
    run.on_started = [&](pid_t pid) {
      ForwardTo(pid);
      Begin(*file);
    };
    run.on_late = [&](const Error& why) {
      is_late = true;
      console.Note(fmt::format("cairn log: what happened before the attach is missing. {} {}", why.message, why.hint));
    };
    run.observe = [&](client::ObservationSession& session) -> Status {
      const auto logged = Log(console, out, filter, session, SignalledForCommand());
      if (logged) code = is_late ? kExitIncomplete : *logged;
      return logged ? Status() : tl::make_unexpected(logged.error());
    };
    bool said = false;
    run.on_unreachable = [&](const Error& why) {
      said = true;
      console.Note(fmt::format("cairn log: {} {} Nothing is logged; the command goes on.", why.message, why.hint));
    };
    const auto result = client::RunObserved(run, SignalledForCommand());
    if (!result) return tl::make_unexpected(result.error());
    if (!result->observed && !said)
      console.Note(fmt::format("cairn log: {} {}", result->observed.error().message, result->observed.error().hint));
    return result->exit_code != kExitDone ? result->exit_code : code;
  }

  Result<int> Log(Console& console, FdSink& out, const EventFilter& filter, client::ObservationSession& session,
                  const std::atomic<bool>& cancel) const {
    if (console.verbose) console.Note(fmt::format("cairn log: logging process {}", session.Pid()));
    NoteWhenStopped(console, "log", session);
    LogWriter writer(out, console.format == OutputFormat::kJson, filter, session);
    const auto result = session.Run([&](std::span<const uint8_t> block) { return writer.Take(block); },
                                    [&] { return writer.Flush(); }, cancel);
    if (!result && result.error().code != "output.closed") return tl::make_unexpected(result.error());
    CAIRN_TRY(out.Finish());
    return result ? Ended(console, writer, *result) : kExitDone;
  }

  static int Ended(Console& console, LogWriter& writer, const client::ObservationResult& result) {
    if (console.format == OutputFormat::kText || console.verbose || writer.Lost() > 0)
      console.Note(fmt::format("cairn log: ended ({}): {}{}", EndName(result.ending),
                               presentation::Counted(writer.Shown(), "event", "events"),
                               writer.Lost() > 0 ? fmt::format(", {} lost", writer.Lost()) : ""));
    const int code = NoteEnd(console, "log", result);
    return writer.Lost() > 0 ? kExitIncomplete : code;
  }

  TargetOptions target_;
  std::string events_ = kUsualEvents, buffer_ = "16MiB";
  std::vector<std::string> filters_;
  std::optional<std::chrono::milliseconds> duration_;
  bool run_ = false, overwrite_ = false;
  std::string child_, output_;
  std::vector<std::string> command_;
};

}  // namespace

std::unique_ptr<Command> MakeLogCommand() { return std::make_unique<LogCommand>(); }

}  // namespace cairn::cli
