#include "viewer/cli/commands/clean_command.h"

#include <fmt/format.h>

#include "collector/client/capture_session.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/tables/removed_table.h"

namespace cairn::cli {
namespace {

class CleanCommand : public Command {
 public:
  CommandText Text() const override {
    return {"clean", "Live processes", "remove libraries and sockets that nobody uses", "clean [options]",
            "  cairn clean\n"
            "      removes what captures and killed processes left behind, and lists it: libraries that no process maps, and\n"
            "      sockets on which nobody listens any more.\n"};
  }

  void Configure(CommandLine& line) override { line.OffersCsv(); }

  Result<int> Run(Console& console) override {
    auto removed = client::Clean();
    if (!removed) return tl::make_unexpected(std::move(removed).error());
    if (!removed->empty()) console.Did(fmt::format("{} files were removed", removed->size()));
    if (console.format == OutputFormat::kJson) {
      presentation::JsonDocument document(console.Out());
      document.Put("removed", *removed);
      document.Finish();
      return kExitDone;
    }
    if (removed->empty()) console.Note("nothing to remove");
    PrintTable(console, presentation::RemovedTable(std::move(*removed)), std::nullopt);
    return kExitDone;
  }
};

}  // namespace

std::unique_ptr<Command> MakeCleanCommand() { return std::make_unique<CleanCommand>(); }

}  // namespace cairn::cli
