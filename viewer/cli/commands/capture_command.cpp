#include "viewer/cli/commands/capture_command.h"

#include <fmt/format.h>

#include "collector/client/capture_session.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/progress.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/cli/target_options.h"
#include "viewer/presentation/documents/info_document.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {
namespace {

using std::chrono::milliseconds;

class CaptureCommand : public Command {
 public:
  CommandText Text() const override {
    return {"capture", "Live processes", "one snapshot of a process, then detach", "capture PID [options]",
            "  cairn capture 4242 --gc full -o before.cairn\n"
            "      collects and walks the heap of process 4242, writes before.cairn, and leaves the process.\n"};
  }

  void Configure(CommandLine& line) override {
    target_.Configure(line);
    line.Text("-o,--output", request_.output, "FILE", "the snapshot (NAME_PID_yyyyMMdd_HHmmss.cairn)");
    line.Flag("--force", request_.overwrite, "replace FILE where it exists");
    line.Choice<protocol::GcRequest>("--gc", request_.gc,
                                     {{"young", protocol::GcRequest::kYoung}, {"full", protocol::GcRequest::kFull}},
                                     "the collection to walk after (young)");
    line.Choice<protocol::WalkMethod>("--method", request_.method,
                                      {{"auto", protocol::WalkMethod::kAuto},
                                       {"pause", protocol::WalkMethod::kPause},
                                       {"fork", protocol::WalkMethod::kFork}},
                                      "walk in the pause or in a forked child (auto)");
    line.Choice<protocol::StringCapture>("--strings", request_.strings,
                                         {{"none", protocol::StringCapture::kNone},
                                          {"hash", protocol::StringCapture::kHash},
                                          {"all", protocol::StringCapture::kAll}},
                                         "what to keep of string contents (hash)");
    line.Flag("--values", request_.values, "keep the values of primitive fields");
    ConfigureLimits(line);
  }

  Result<int> Run(Console& console) override {
    auto target = target_.Target("capture");
    if (!target) return tl::make_unexpected(std::move(target).error());
    request_.target = std::move(*target);
    if (auto taken = TakeLimits(); !taken) return tl::make_unexpected(std::move(taken).error());
    auto captured = Captured(console);
    if (!captured) return tl::make_unexpected(std::move(captured).error());
    Print(console, *captured);
    return captured->summary.complete ? kExitDone : kExitIncomplete;
  }

 private:
  void ConfigureLimits(CommandLine& line) {
    using presentation::BareNumber;
    line.Duration("--max-pause", max_pause_, BareNumber::kMilliseconds, "MS",
                  "refuse beforehand what would pause longer");
    line.Duration("--wait-natural", wait_natural_, BareNumber::kMilliseconds, "MS",
                  "wait for a collection of the application's own (3s)", milliseconds(3000));
    line.Flag("--light", request_.light, "leave concurrent GC alone; takes a full collection");
    line.Choice<protocol::SelfCheck>("--self-check", request_.self_check,
                                     {{"sample", protocol::SelfCheck::kSample}, {"full", protocol::SelfCheck::kFull}},
                                     "how much to compare with the profiling API (sample)");
    line.Text("--runtime", request_.runtime, "first|one=VERSION|many",
              "which runtime, where a process has several (first)");
    line.Text("--library", request_.library, "FILE", "the collector library, where it is not beside cairn");
    line.Duration("-t,--timeout", timeout_, BareNumber::kSeconds, "DURATION",
                  "give up without a sign of life for so long (60s)");
  }

  Status TakeLimits() {
    if (request_.runtime != "first" && request_.runtime != "many" &&
        (!request_.runtime.starts_with("one=") || request_.runtime.size() == 4))
      return Fail(ErrorKind::kUsage, "usage.bad_value",
                  fmt::format("--runtime takes first, one=VERSION or many, not '{}'", request_.runtime));
    CAIRN_TRY(TakeMilliseconds("--max-pause", max_pause_, request_.max_pause_ms));
    CAIRN_TRY(TakeMilliseconds("--wait-natural", wait_natural_, request_.wait_natural_ms));
    if (timeout_ && timeout_->count() == 0)
      return Fail(ErrorKind::kUsage, "usage.bad_value", "--timeout takes a duration above zero");
    request_.timeout = timeout_.value_or(request_.timeout);
    return {};
  }

  // Zero would mean "no limit", which is what leaving the option out says.
  static Status TakeMilliseconds(const char* option, const std::optional<milliseconds>& given, uint32_t& target) {
    if (!given) return {};
    if (given->count() < 1 || given->count() > UINT32_MAX)
      return Fail(ErrorKind::kUsage, "usage.bad_value",
                  fmt::format("{} takes from 1 ms to 49 days, not {} ms", option, given->count()));
    target = static_cast<uint32_t>(given->count());
    return {};
  }

  Result<client::CaptureResult> Captured(Console& console) const {
    CatchInterrupts();
    Progress progress(console);
    return client::Capture(
        request_,
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
  client::CaptureRequest request_;
  std::optional<milliseconds> max_pause_, wait_natural_, timeout_;
};

}  // namespace

std::unique_ptr<Command> MakeCaptureCommand() { return std::make_unique<CaptureCommand>(); }

}  // namespace cairn::cli
