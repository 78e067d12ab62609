#include "viewer/cli/commands/run_command.h"

#include <fmt/format.h>

#include "collector/client/run_session.h"
#include "viewer/cli/capture_options.h"
#include "viewer/cli/forwarded_signals.h"
#include "viewer/cli/series_output.h"
#include "viewer/cli/watch_options.h"
#include "viewer/presentation/quantity.h"

namespace cairn::cli {
namespace {

class RunCommand : public Command {
 public:
  CommandText Text() const override {
    return {"run", "Live processes", "start a command and take snapshots until it ends",
            "run [-o DIR] [options] [--child NAME] -- COMMAND [ARGUMENT...]",
            "  cairn run -o growth --every 10s --child Shop -- dotnet run --project Shop\n"
            "      starts the command and takes snapshots of the process Shop below it. The command keeps the\n"
            "      terminal; its exit code becomes cairn's, or 3 where no snapshot could be taken. --count and\n"
            "      --duration end the snapshots, not the command.\n"
            "  DOTNET_EnableDiagnostics_IPC=0 cairn run --light -o growth --every 10s -- dotnet Shop.dll\n"
            "      a runtime that listens to no tool loads the collector at its start, which then serves --light\n"
            "      captures, cairn capture --light too, until the process ends or cairn detach.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Text("--child", child_, "NAME", "the process to capture, below the command (the first .NET process)");
    line.Flag("--at-start", at_start_, "load the collector at the start, as where the diagnostics socket is off");
    watch_.Configure(line);
    capture_.Configure(line);
    line.OffersCsv();
    line.Rest(command_);
  }

  Result<int> Run(Console& console) override {
    auto request = Request();
    if (!request) return tl::make_unexpected(std::move(request).error());
    CatchForCommand();
    SeriesOutput output(console, true);
    const auto result = client::RunAndWatch(
        *request, Events(console, output), [&](const client::CaptureProgress& at) { output.Show(at); },
        SignalledForCommand());
    if (!result) return tl::make_unexpected(result.error());
    return Ended(console, output, *result);
  }

 private:
  Result<client::RunRequest> Request() const {
    if (command_.empty())
      return Fail(ErrorKind::kUsage, "usage.missing_argument", "run needs a command to start",
                  "cairn run -o DIR -- COMMAND [ARGUMENT...]");
    auto options = watch_.Options();
    if (!options) return tl::make_unexpected(std::move(options).error());
    auto capture = capture_.Request(options->track ? "--track" : "");
    if (!capture) return tl::make_unexpected(std::move(capture).error());
    return client::RunRequest{command_, child_, at_start_, {std::move(*capture), std::move(*options)}};
  }

  static client::RunEvents Events(Console& console, SeriesOutput& output) {
    return {output.Events(), ForwardTo, ForwardNoMore, [&console, &output](const Error& error) {
              output.Note(console.ErrorStyle().Bad("cairn run:") + " " + error.message +
                          " The command goes on without further snapshots.");
            }};
  }

  static Result<int> Ended(Console& console, SeriesOutput& output, const client::RunResult& result) {
    if (!result.series) return NoSnapshot(result.series.error(), result.exit_code);
    const client::SeriesResult& series = *result.series;
    if (series.snapshots == 0) return NoSnapshot(Interrupted(), result.exit_code);
    const std::string reason = series.error ? "failed" : client::EndName(series.end);
    output.Finish(reason, series.error);
    if (console.format == OutputFormat::kText)
      output.Note(fmt::format("cairn run: ended ({}): {} taken, {} removed again; the command's exit code is {}",
                              reason, presentation::Counted(series.snapshots, "snapshot", "snapshots"), series.dropped,
                              result.exit_code));
    return result.exit_code;
  }

  static Error Interrupted() {
    return {ErrorKind::kFailed, "run.interrupted", "It was interrupted before a snapshot could be taken.", ""};
  }

  static Result<int> NoSnapshot(Error error, int exit_code) {
    error.kind = ErrorKind::kFailed;
    error.message = fmt::format("no snapshot was taken; the command's exit code is {}. {}", exit_code, error.message);
    return tl::make_unexpected(std::move(error));
  }

  std::string child_;
  bool at_start_ = false;
  WatchOptions watch_;
  CaptureOptions capture_;
  std::vector<std::string> command_;
};

}  // namespace

std::unique_ptr<Command> MakeRunCommand() { return std::make_unique<RunCommand>(); }

}  // namespace cairn::cli
