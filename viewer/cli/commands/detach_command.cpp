#include "viewer/cli/commands/detach_command.h"

#include <fmt/format.h>

#include "collector/client/capture_session.h"
#include "viewer/cli/target_options.h"
#include "viewer/presentation/render/json_document.h"

namespace cairn::cli {
namespace {

class DetachCommand : public Command {
 public:
  CommandText Text() const override {
    return {"detach", "Live processes", "end a collector that stayed in a process", "detach PID [options]",
            "  cairn detach 4242\n"
            "      the collector leaves process 4242; exit 3 when there is none.\n"};
  }

  void Configure(CommandLine& line) override { target_.Configure(line); }

  Result<int> Run(Console& console) override {
    auto target = target_.Target("detach");
    if (!target) return tl::make_unexpected(std::move(target).error());
    auto pid = client::ResolveTarget(*target);
    if (!pid) return tl::make_unexpected(std::move(pid).error());
    auto result = client::Detach(*pid);
    if (!result) return tl::make_unexpected(std::move(result).error());
    if (result->detached) console.Did(fmt::format("the collector has left process {}", result->pid));
    Print(console, *result);
    return result->detached ? kExitDone : kExitFailed;
  }

 private:
  static void Print(Console& console, const client::DetachResult& result) {
    if (console.format == OutputFormat::kText)
      return console.Print(fmt::format("{} {}\n", result.detached ? "detached from" : "still attached to", result.pid));
    presentation::JsonDocument document(console.Out());
    document.Put("pid", result.pid);
    document.Put("detached", result.detached);
    document.Finish();
  }

  TargetOptions target_;
};

}  // namespace

std::unique_ptr<Command> MakeDetachCommand() { return std::make_unique<DetachCommand>(); }

}  // namespace cairn::cli
