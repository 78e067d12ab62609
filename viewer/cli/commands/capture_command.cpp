#include "viewer/cli/commands/capture_command.h"

#include <fmt/format.h>

#include "collector/client/allocation_tracker.h"
#include "collector/client/capture_session.h"
#include "collector/client/sampled_capture.h"
#include "viewer/cli/capture_options.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/observation_notes.h"
#include "viewer/cli/progress.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/cli/target_options.h"
#include "viewer/presentation/documents/info_document.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {
namespace {

constexpr std::chrono::milliseconds kUsualSampling{30000};

class CaptureCommand : public Command {
 public:
  CommandText Text() const override {
    return {"capture", "Live processes", "one snapshot of a process, then detach", "capture PID [options]",
            "  cairn capture 4242 --gc full -o before.cairn\n"
            "      collects and walks the heap of process 4242, writes before.cairn, and leaves the process.\n"
            "  cairn capture 4242 --allocations --duration 60s\n"
            "      samples allocations for a minute first, so that the snapshot knows of some objects which methods\n"
            "      allocated them: cairn object, path and suspects tell it.\n"};
  }

  void Configure(CommandLine& line) override {
    target_.Configure(line);
    line.Text("-o,--output", output_, "FILE", "the snapshot (NAME_PID_yyyyMMdd_HHmmss.cairn)");
    line.Flag("--force", overwrite_, "replace FILE where it exists");
    options_.Configure(line);
    line.Flag("--allocations", allocations_,
              "sample allocations first, so that the snapshot tells where objects were allocated (a full collection)");
    line.Duration("--duration", duration_, presentation::BareNumber::kSeconds, "DURATION",
                  "how long allocations are sampled (30s)");
  }

  Result<int> Run(Console& console) override {
    auto target = target_.Target("capture");
    if (!target) return tl::make_unexpected(std::move(target).error());
    auto request = options_.Request(allocations_ ? "--allocations" : "");
    if (!request) return tl::make_unexpected(std::move(request).error());
    request->target = std::move(*target);
    request->output = output_;
    request->overwrite = overwrite_;
    CAIRN_TRY(CheckObservedTime(duration_));
    if (duration_ && !allocations_)
      return Fail(ErrorKind::kUsage, "usage.conflict", "--duration belongs to --allocations", "Give both, or neither.");
    auto captured = Captured(console, *request);
    if (!captured) return tl::make_unexpected(std::move(captured).error());
    console.Did(captured->path + " was written");
    if (captured->summary.sampling) NoteSampled(console, *captured->summary.sampling);
    Print(console, *captured);
    return captured->summary.complete ? kExitDone : kExitIncomplete;
  }

 private:
  Result<client::CaptureResult> Captured(Console& console, const client::CaptureRequest& request) const {
    CatchInterrupts();
    if (allocations_) console.Note(client::PriceOfAllocations());
    Progress progress(console);
    const auto show = [&](const client::CaptureProgress& at) {
      progress.Show(at.text.empty() ? protocol::StateName(at.state) : at.text, at.done, at.total);
    };
    if (!allocations_) return client::Capture(request, show, Interrupted());
    return client::CaptureSampled(request, duration_.value_or(kUsualSampling), show, Interrupted());
  }

  static void NoteSampled(Console& console, const snapshot::Sampling& sampling) {
    console.Note(sampling.lost.empty()
                     ? fmt::format("cairn capture: {} in the snapshot were sampled as they were allocated",
                                   presentation::Counted(sampling.objects.size(), "object", "objects"))
                     : fmt::format("cairn capture: sampled objects could not be followed: {}", sampling.lost));
  }

  static void Print(Console& console, const client::CaptureResult& captured) {
    const presentation::InfoDocument document{captured.path, &captured.summary, captured.file_bytes, {}};
    if (console.format == OutputFormat::kJson) {
      presentation::JsonDocument json(console.Out());
      json.PutAll(presentation::InfoFields(document));
      return json.Finish();
    }
    presentation::WriteInfoText(document, console.OutStyle(), console.Out());
    const std::string path = presentation::VisibleText(captured.path);
    console.Print(
        fmt::format("\nNext: cairn types {}\n      cairn diff {} LATER   after another capture\n", path, path));
  }

  TargetOptions target_;
  CaptureOptions options_;
  std::string output_;
  bool overwrite_ = false, allocations_ = false;
  std::optional<std::chrono::milliseconds> duration_;
};

}  // namespace

std::unique_ptr<Command> MakeCaptureCommand() { return std::make_unique<CaptureCommand>(); }

}  // namespace cairn::cli
