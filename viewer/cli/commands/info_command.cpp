#include "viewer/cli/commands/info_command.h"

#include "viewer/cli/interrupt.h"
#include "viewer/cli/progress.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/documents/info_document.h"
#include "viewer/presentation/tables/generation_table.h"

namespace cairn::cli {
namespace {

class InfoCommand : public Command {
 public:
  CommandText Text() const override {
    return {"info", "Read a snapshot", "process, runtime, totals by generation, pause, completeness",
            "info FILE [--verify] [options]",
            "  cairn info shop.cairn --verify\n"
            "      what was captured, at what cost, and whether every frame, count and reference holds.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Flag("--verify", verify_, "check every frame, count and reference");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    auto sources = OpenSnapshots({file_});
    if (!sources) return tl::make_unexpected(std::move(sources).error());
    presentation::FileHeapSource& source = *sources->front();
    presentation::InfoDocument document{source.Path(), &source.Summary(), source.FileBytes(), {}};
    if (verify_) {
      auto report = Verified(console, source.Reader());
      if (!report) return tl::make_unexpected(std::move(report).error());
      document.verified = std::move(*report);
    }
    Print(console, *sources, document);
    return document.IsSound() ? kExitDone : kExitIncomplete;
  }

 private:
  static Result<snapshot::VerifyReport> Verified(Console& console, snapshot::SnapshotReader& reader) {
    CatchInterrupts();
    Progress progress(console);
    return snapshot::Verify(reader, [&](uint64_t done, uint64_t total) {
      progress.Show("verifying", done, total);
      return !Interrupted();
    });
  }

  static void Print(Console& console, const Sources& sources, const presentation::InfoDocument& document) {
    if (console.format == OutputFormat::kText)
      return presentation::WriteInfoText(document, console.OutStyle(), console.Out());
    if (console.format == OutputFormat::kJson) {
      presentation::JsonDocument json(console.Out());
      json.PutAll(presentation::InfoFields(document));
      return json.Finish();
    }
    LabelIncomplete(console, Named(sources));
    if (document.verified && !document.verified->errors.empty())
      Label(console, "DAMAGED: " + document.verified->errors.front());
    PrintTable(console, presentation::GenerationTable(document.summary->ranges), std::nullopt);
  }

  std::string file_;
  bool verify_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeInfoCommand() { return std::make_unique<InfoCommand>(); }

}  // namespace cairn::cli
