#include "viewer/cli/commands/ps_command.h"

#include "collector/client/process_list.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/tables/process_table.h"

namespace cairn::cli {
namespace {

presentation::ProcessTable TableOf(const std::vector<client::ProcessInfo>& processes) {
  std::vector<presentation::ProcessRow> rows;
  for (const client::ProcessInfo& process : processes)
    rows.push_back({process.pid, process.name, process.user, process.runtime, process.rss_bytes, process.attachable,
                    process.reason});
  return presentation::ProcessTable(std::move(rows));
}

class PsCommand : public Command {
 public:
  CommandText Text() const override {
    return {"ps", "Live processes", ".NET processes, and which of them can be captured", "ps [options]",
            "  cairn ps\n"
            "      one line per .NET process: pid, name, user, runtime, memory, attachable or the reason why not.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Count("--top", top_, 1, "N", "how many rows (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    auto processes = client::ListProcesses();
    if (!processes) return tl::make_unexpected(std::move(processes).error());
    const presentation::ProcessTable table = TableOf(*processes);
    if (console.format != OutputFormat::kJson) {
      if (processes->empty()) console.Note("no .NET process found");
      PrintTable(console, table, console.Top(top_));
      return kExitDone;
    }
    presentation::JsonDocument document(console.Out());
    presentation::JsonDocument::Rows rows(document, "processes");
    presentation::Emit(table, top_, rows);
    document.Finish();
    return kExitDone;
  }

 private:
  std::optional<uint64_t> top_;
};

}  // namespace

std::unique_ptr<Command> MakePsCommand() { return std::make_unique<PsCommand>(); }

}  // namespace cairn::cli
