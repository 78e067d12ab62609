#include "viewer/cli/commands/log_command.h"

#include <fmt/format.h>

#include "collector/client/observation_session.h"
#include "snapshot-format/stream/records.h"
#include "viewer/cli/event_filter.h"
#include "viewer/cli/event_output.h"
#include "viewer/cli/forwarded_signals.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/observation_notes.h"
#include "viewer/cli/observed_command.h"
#include "viewer/presentation/quantity.h"

namespace cairn::cli {
namespace {

constexpr uint64_t kRings = 8;  // of the collector, which makes each at least 64 KiB large
constexpr uint64_t kSmallestBuffer = kRings * (64u << 10), kLargestBuffer = 1u << 30;
constexpr const char* kUsualEvents = "loader,thread,exception,gc,contention,threadpool";

constexpr ObservedWords kWords = {
    "log",
    "",
    "start the command behind -- and log it from its first moment; its exit code",
    "with --run: the process to log, below the command (the first .NET process)",
    "the log goes there (standard output; with --run standard error)",
    "Nothing is logged",
};

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
    observed_.ConfigureOutput(line);
    observed_.ConfigureRun(line);
    observed_.ConfigureCommand(line);
    line.Duration("--duration", duration_, presentation::BareNumber::kSeconds, "TIME", "how long (until Ctrl-C)");
  }

  Result<int> Run(Console& console) override {
    auto filter = EventFilter::Parse(filters_);
    if (!filter) return tl::make_unexpected(std::move(filter).error());
    auto request = Request();
    if (!request) return tl::make_unexpected(std::move(request).error());
    auto out = observed_.OpenLines(console);
    if (!out) return tl::make_unexpected(std::move(out).error());
    if (!observed_.IsRun()) return LogProcess(console, *out, *filter, *request);
    return RunCommand(console, *out, *filter, *request);
  }

 private:
  Result<client::ObservationRequest> Request() const {
    CAIRN_TRY(observed_.Check(target_));
    CAIRN_TRY(CheckObservedTime(duration_, kUntilInterrupted));
    auto target = observed_.Target(target_);
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

  Result<int> LogProcess(Console& console, LineOutput& out, const EventFilter& filter,
                         const client::ObservationRequest& request) const {
    CatchInterrupts();
    auto session = client::ObservationSession::Start(client::Machine::This(), request, Interrupted());
    if (!session) return tl::make_unexpected(std::move(session).error());
    out.Begin();
    return Log(console, out.sink, filter, **session, Interrupted());
  }

  Result<int> RunCommand(Console& console, LineOutput& out, const EventFilter& filter,
                         const client::ObservationRequest& request) const {
    ObservedTask task;
    task.unobserved = kExitDone;
    task.on_started = [&] { out.Begin(); };
    task.late = [](const Error& why) {
      return fmt::format("what happened before the attach is missing. {} {}", why.message, why.hint);
    };
    task.observe = [&](client::ObservationSession& session, bool is_late) -> Result<int> {
      const auto logged = Log(console, out.sink, filter, session, SignalledForCommand());
      return logged && is_late ? kExitIncomplete : logged;
    };
    return observed_.Run(console, request, task);
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
  ObservedCommand observed_{kWords};
};

}  // namespace

std::unique_ptr<Command> MakeLogCommand() { return std::make_unique<LogCommand>(); }

}  // namespace cairn::cli
