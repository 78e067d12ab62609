#include "viewer/cli/commands/roots_command.h"

#include <fmt/format.h>

#include "viewer/analysis/heap_graph.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/tables/roots_table.h"

namespace cairn::cli {
namespace {

using presentation::RootKindsTable;
using presentation::RootsTable;
using snapshot::RootKind;

class RootsCommand : public Command {
 public:
  CommandText Text() const override {
    return {"roots", "Read a snapshot", "what the runtime itself holds, by kind", "roots FILE [--kind KIND] [options]",
            "  cairn roots shop.cairn --kind static\n"
            "      every static field that refers to an object, by name. Without --kind how many roots there are of\n"
            "      each kind, and the objects they refer to.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Choice<std::optional<RootKind>>("--kind", kind_, Kinds(), "list the roots of this kind");
    line.Count("--top", top_, 1, "N", "how many rows (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    auto opened = OpenSession(file_);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    auto printed =
        console.format == OutputFormat::kText && !kind_ ? PrintKinds(console, *opened) : PrintRoots(console, *opened);
    if (!printed) return tl::make_unexpected(std::move(printed).error());
    return ExitCodeFor(opened->named);
  }

 private:
  static std::vector<std::pair<std::string, std::optional<RootKind>>> Kinds() {
    std::vector<std::pair<std::string, std::optional<RootKind>>> choices;
    for (unsigned i = 0; i < stream::kRootKindCount; ++i) {
      const auto kind = static_cast<RootKind>(i);
      choices.emplace_back(snapshot::RootKindName(kind), kind);
    }
    return choices;
  }

  Status PrintKinds(Console& console, OpenedSession& opened) const {
    auto rows = Asked(console, opened, [](session::SnapshotSession& session, analysis::Work& work) {
      return session.RootsByKind(work);
    });
    if (!rows) return tl::make_unexpected(std::move(rows).error());
    LabelIncomplete(console, opened.named);
    PrintTable(console, RootKindsTable(std::move(*rows)), std::nullopt);
    return {};
  }

  Status PrintRoots(Console& console, OpenedSession& opened) const {
    auto table =
        Asked(console, opened, [&](session::SnapshotSession& session, analysis::Work& work) -> Result<RootsTable> {
          auto roots = session.Roots(kind_, work);
          if (!roots) return tl::make_unexpected(std::move(roots).error());
          return RootsTable(session.GetSummary(), **session.Graph(work), std::move(*roots));
        });
    if (!table) return tl::make_unexpected(std::move(table).error());
    if (console.format == OutputFormat::kJson) {
      PrintJson(console, opened.named, *table);
    } else {
      LabelIncomplete(console, opened.named);
      if (table->RowCount() == 0) console.Note("there are no roots of this kind");
      PrintTable(console, *table, console.Top(top_));
    }
    return {};
  }

  void PrintJson(Console& console, const NamedSummaries& named, const RootsTable& table) const {
    presentation::JsonDocument document(console.Out());
    document.PutAll(presentation::CompletenessFields(named));
    presentation::JsonDocument::Elements elements(document, "roots");
    const uint64_t rows = std::min(table.RowCount(), top_.value_or(UINT64_MAX));
    for (uint64_t row = 0; row < rows; ++row)
      if (!elements.Add(table.Fields(row))) break;
    elements.Finish();
    document.Finish();
  }

  std::string file_;
  std::optional<RootKind> kind_;
  std::optional<uint64_t> top_;
};

}  // namespace

std::unique_ptr<Command> MakeRootsCommand() { return std::make_unique<RootsCommand>(); }

}  // namespace cairn::cli
