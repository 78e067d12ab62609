#include "viewer/cli/commands/dominators_command.h"

#include <fmt/format.h>

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/dominators_table.h"
#include "viewer/presentation/tables/objects_table.h"
#include "viewer/session/dominance.h"

namespace cairn::cli {
namespace {

using analysis::ObjectIndex;
using presentation::DominatorsTable;

class DominatorsCommand : public Command {
 public:
  CommandText Text() const override {
    return {"dominators", "Read a snapshot", "the dominator tree: who alone keeps how much alive",
            "dominators FILE [--of OBJECT] [options]",
            "  cairn dominators shop.cairn --of @12\n"
            "      what only @12 keeps alive, the largest first: go on with --of one of its rows. Without --of the\n"
            "      objects that nothing but roots hold.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Text("--of", of_, "OBJECT", "@INDEX, INDEX or 0xADDRESS");
    line.Count("--top", top_, 1, "N", "how many rows (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    if (!of_.empty()) {
      auto name = presentation::ParseObjectName(of_);
      if (!name) return tl::make_unexpected(std::move(name).error());
      name_ = *name;
    }
    auto opened = OpenSession(file_);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    const uint64_t limit = console.Top(top_).value_or(UINT64_MAX);
    auto children = Asked(console, *opened, [&](session::SnapshotSession& session, analysis::Work& work) {
      return Children(session, limit, work);
    });
    if (!children) return tl::make_unexpected(std::move(children).error());
    Print(console, opened->named, *children);
    return ExitCodeFor(opened->named);
  }

 private:
  struct Answer {
    ObjectIndex of;
    bool reachable = true;
    DominatorsTable table;
  };

  Result<Answer> Children(session::SnapshotSession& session, uint64_t limit, analysis::Work& work) const {
    session::ObjectInfo of;
    of.reachable = true;
    const auto dominance = session.Dominators(work);
    if (!dominance) return tl::make_unexpected(dominance.error());
    of.retained = (*dominance)->sizes.At((*dominance)->tree, analysis::DominatorTree::kVirtualRoot);
    if (name_) {
      const auto found = presentation::FindObject(session, *name_, work).and_then([&](ObjectIndex at) {
        return session.Object(at, work);
      });
      if (!found) return tl::make_unexpected(found.error());
      of = *found;
    }
    auto children = session.DominatorChildren(of.object, limit, work);
    if (!children) return tl::make_unexpected(std::move(children).error());
    return Answer{of.object, of.reachable, DominatorsTable(session.GetSummary(), std::move(*children), of.retained)};
  }

  void Print(Console& console, const NamedSummaries& named, const Answer& answer) const {
    if (console.format == OutputFormat::kJson) {
      presentation::JsonDocument document(console.Out());
      document.PutAll(presentation::CompletenessFields(named));
      document.Put("of", answer.of.Valid() ? presentation::Json(answer.of.value) : presentation::Json(nullptr));
      presentation::JsonDocument::Rows rows(document, "children");
      presentation::Emit(answer.table, std::nullopt, rows);
      return document.Finish();
    }
    LabelIncomplete(console, named);
    if (!answer.reachable) console.Note("nothing keeps this object alive, so it keeps nothing alive either");
    const auto sink = TextOrCsv(console);
    sink->Begin(answer.table.Columns());
    for (uint64_t row = 0; row < answer.table.RowCount(); ++row)
      if (!sink->Row(answer.table.Row(row))) break;
    sink->End(answer.table.LeftOut());
    if (console.format == OutputFormat::kText)
      console.Print(fmt::format("total {}\n", presentation::Counted(answer.table.Total(), "object", "objects")));
  }

  std::string file_, of_;
  std::optional<presentation::ObjectName> name_;
  std::optional<uint64_t> top_;
};

}  // namespace

std::unique_ptr<Command> MakeDominatorsCommand() { return std::make_unique<DominatorsCommand>(); }

}  // namespace cairn::cli
