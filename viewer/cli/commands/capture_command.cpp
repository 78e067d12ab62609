#include "viewer/cli/commands/capture_command.h"

#include <fmt/format.h>

#include "collector/client/capture_session.h"
#include "viewer/cli/capture_options.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/progress.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/cli/target_options.h"
#include "viewer/presentation/documents/info_document.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {
namespace {

class CaptureCommand : public Command {
 public:
  CommandText Text() const override {
    return {"capture", "Live processes", "one snapshot of a process, then detach", "capture PID [options]",
            "  cairn capture 4242 --gc full -o before.cairn\n"
            "      collects and walks the heap of process 4242, writes before.cairn, and leaves the process.\n"};
  }

  void Configure(CommandLine& line) override {
    target_.Configure(line);
    line.Text("-o,--output", output_, "FILE", "the snapshot (NAME_PID_yyyyMMdd_HHmmss.cairn)");
    line.Flag("--force", overwrite_, "replace FILE where it exists");
    options_.Configure(line);
  }

  Result<int> Run(Console& console) override {
    auto target = target_.Target("capture");
    if (!target) return tl::make_unexpected(std::move(target).error());
    auto request = options_.Request();
    if (!request) return tl::make_unexpected(std::move(request).error());
    request->target = std::move(*target);
    request->output = output_;
    request->overwrite = overwrite_;
    auto captured = Captured(console, *request);
    if (!captured) return tl::make_unexpected(std::move(captured).error());
    console.Did(captured->path + " was written");
    Print(console, *captured);
    return captured->summary.complete ? kExitDone : kExitIncomplete;
  }

 private:
  static Result<client::CaptureResult> Captured(Console& console, const client::CaptureRequest& request) {
    CatchInterrupts();
    Progress progress(console);
    return client::Capture(
        request,
        [&](const client::CaptureProgress& at) {
          progress.Show(at.text.empty() ? protocol::StateName(at.state) : at.text, at.done, at.total);
        },
        Interrupted());
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
  bool overwrite_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeCaptureCommand() { return std::make_unique<CaptureCommand>(); }

}  // namespace cairn::cli
