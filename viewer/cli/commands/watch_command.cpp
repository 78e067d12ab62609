#include "viewer/cli/commands/watch_command.h"

#include <fmt/format.h>

#include "collector/client/series_session.h"
#include "viewer/cli/capture_options.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/series_output.h"
#include "viewer/cli/target_options.h"
#include "viewer/cli/watch_options.h"

namespace cairn::cli {
namespace {

class WatchCommand : public Command {
 public:
  CommandText Text() const override {
    return {
        "watch", "Live processes", "several snapshots of a process, as time passes or its heap grows",
        "watch PID [-o DIR] [options]",
        "  cairn watch 4242 -o growth --when-heap-grows 20% --count 5\n"
        "      a snapshot of process 4242 now, and one each time its heap has grown by a fifth, into the folder\n"
        "      growth. Without --count or --duration it goes on until Ctrl-C or the end of the process.\n"
        "  cairn watch 4242 -o growth --track --every 5m\n"
        "      the same with the identity of objects: cairn diff growth/*.cairn then tells how many survived, died\n"
        "      and are new. The collector stays in the process meanwhile, and each snapshot takes a full blocking\n"
        "      collection; what else it costs is said before it starts. cairn detach 4242 ends it too.\n"
        "  cairn watch 4242 -o growth --allocations --on-line\n"
        "      samples allocations, with a snapshot now and whenever you press Enter; Ctrl-D ends it.\n"};
  }

  void Configure(CommandLine& line) override {
    target_.Configure(line);
    watch_.Configure(line);
    watch_.ConfigureLines(line);
    line.Flag("--allocations", allocations_,
              "sample allocations, so that the snapshots tell where objects were allocated (full collections; stays "
              "attached)");
    capture_.Configure(line);
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    auto request = Request();
    if (!request) return tl::make_unexpected(std::move(request).error());
    CatchInterrupts();
    SeriesOutput output(console, false);
    const auto result = client::WatchSeries(
        *request, output.Events(), [&](const client::CaptureProgress& at) { output.Show(at); }, Interrupted());
    if (!result) return tl::make_unexpected(result.error());
    return Ended(console, output, *result);
  }

 private:
  Result<client::SeriesRequest> Request() const {
    auto target = target_.Target("watch");
    if (!target) return tl::make_unexpected(std::move(target).error());
    auto options = watch_.Options();
    if (!options) return tl::make_unexpected(std::move(options).error());
    options->allocations = allocations_;
    if (options->allocations && options->track)
      return Fail(ErrorKind::kUsage, "usage.conflict", "--track and --allocations cannot be had together",
                  "Leave out one of them.");
    auto capture = capture_.Request(options->track ? "--track" : options->allocations ? "--allocations" : "");
    if (!capture) return tl::make_unexpected(std::move(capture).error());
    capture->target = std::move(*target);
    return client::SeriesRequest{std::move(*capture), std::move(*options)};
  }

  static int Ended(Console& console, SeriesOutput& output, const client::SeriesResult& result) {
    const std::string reason = result.error ? "failed" : client::EndName(result.end);
    output.Finish(reason, result.error);
    if (result.error && console.format != OutputFormat::kJson) console.ReportError("watch", *result.error);
    if (console.format == OutputFormat::kText)
      output.Note(
          fmt::format("ended ({}): {} snapshots taken, {} removed again", reason, result.snapshots, result.dropped));
    if (result.error) return kExitFailed;
    return output.AllComplete() ? kExitDone : kExitIncomplete;
  }

  TargetOptions target_;
  WatchOptions watch_;
  CaptureOptions capture_;
  bool allocations_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeWatchCommand() { return std::make_unique<WatchCommand>(); }

}  // namespace cairn::cli
