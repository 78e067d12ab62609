#include "viewer/cli/commands/suspects_command.h"

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/tables/suspects_table.h"
#include "viewer/session/dominance.h"

namespace cairn::cli {
namespace {

using presentation::SuspectsTable;
using session::PathGroup;

class SuspectsCommand : public Command {
 public:
  CommandText Text() const override {
    return {"suspects", "Compare snapshots", "what looks like a leak, the most suspicious first",
            "suspects FILE [--base BASE] [options]",
            "  cairn suspects after.cairn --base before.cairn\n"
            "      groups of objects that grew although what holds them did not, by the bytes they retain: where they\n"
            "      hang (the path), and the object in which they pile up (go on with cairn object or path).\n"
            "  Without --base: many objects under few holders, and single objects, that retain much of the heap.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Text("--base", base_, "BASE", "an earlier snapshot of the same program");
    line.Count("--top", top_, 1, "N", "how many rows (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    auto sources = OpenSnapshots(base_.empty() ? std::vector{file_} : std::vector{base_, file_});
    if (!sources) return tl::make_unexpected(std::move(sources).error());
    NamedSummaries named = Named(*sources);
    NoteBackwards(console, named);
    auto base = BaseGroups(console, named.front());
    if (!base) return tl::make_unexpected(std::move(base).error());
    auto head = OpenSession(file_);
    if (!head) return tl::make_unexpected(std::move(head).error());
    auto table =
        Asked(console, *head->session, named.back(), [&](session::SnapshotSession& session, analysis::Work& work) {
          return Suspects(session, base_.empty() ? nullptr : &*base, work);
        });
    if (!table) return tl::make_unexpected(std::move(table).error());
    Print(console, named, *table);
    return ExitCodeFor(named);
  }

 private:
  // Its graph is gone before that of the other snapshot comes.
  Result<std::vector<PathGroup>> BaseGroups(Console& console, presentation::NamedSummary& named) const {
    if (base_.empty()) return std::vector<PathGroup>();
    auto opened = OpenSession(base_);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    return Asked(console, *opened->session, named,
                 [](session::SnapshotSession& session, analysis::Work& work) { return session.PathGroups({}, work); });
  }

  static Result<SuspectsTable> Suspects(session::SnapshotSession& session, const std::vector<PathGroup>* base,
                                        analysis::Work& work) {
    auto suspects = session::FindSuspects(session, base, work);
    if (!suspects) return tl::make_unexpected(std::move(suspects).error());
    const auto dominance = session.Dominators(work);
    if (!dominance) return tl::make_unexpected(dominance.error());
    const uint64_t reachable = (*dominance)->sizes.At((*dominance)->tree, analysis::DominatorTree::kVirtualRoot);
    const auto allocated = presentation::AllocatedAt(session, *suspects, work);
    if (!allocated) return tl::make_unexpected(allocated.error());
    SuspectsTable table(session.GetSummary(), std::move(*suspects), reachable, base != nullptr);
    table.SayAllocated(*allocated);
    return table;
  }

  void Print(Console& console, const NamedSummaries& named, const SuspectsTable& table) const {
    if (console.format == OutputFormat::kJson) {
      presentation::JsonDocument document(console.Out());
      document.PutAll(presentation::CompletenessFields(named));
      presentation::JsonDocument::Rows rows(document, "suspects");
      presentation::Emit(table, console.Top(top_), rows);
      return document.Finish();
    }
    LabelIncomplete(console, named);
    if (table.RowCount() == 0)
      console.Note(base_.empty() ? "nothing stands out" : "nothing grew that its holders do not explain");
    PrintTable(console, table, console.Top(top_));
  }

  std::string file_, base_;
  std::optional<uint64_t> top_;
};

}  // namespace

std::unique_ptr<Command> MakeSuspectsCommand() { return std::make_unique<SuspectsCommand>(); }

}  // namespace cairn::cli
