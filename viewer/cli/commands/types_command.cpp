#include "viewer/cli/commands/types_command.h"

#include <fmt/format.h>

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/types_table.h"

namespace cairn::cli {
namespace {

using presentation::GroupBy;
using presentation::TypeOrder;
using presentation::TypeRow;
using presentation::TypesTable;

class TypesCommand : public Command {
 public:
  CommandText Text() const override {
    return {"types", "Read a snapshot", "objects and bytes per type, and what they keep alive",
            "types FILE [PATTERN] [options]",
            "  cairn types shop.cairn 'Shop.*' --top 10\n"
            "      the ten types of the namespace Shop that retain the most: their reachable objects and bytes,\n"
            "      and the bytes that would go if the objects of a type went, each byte counted once.\n"
            "  A pattern is a full name, a glob with * or ?, a part of a name, or a /regular expression/.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Argument("PATTERN", pattern_, false, "which types (all without it)");
    line.Text("--filter,--type", filter_, "PATTERN", "the same as PATTERN");
    line.Choice<GroupBy>("--by", group_,
                         {{"type", GroupBy::kType},
                          {"namespace", GroupBy::kNamespace},
                          {"module", GroupBy::kModule},
                          {"generation", GroupBy::kGeneration}},
                         "what a row stands for (type)");
    line.Choice<std::optional<TypeOrder>>(
        "--sort", order_,
        {{"retained", TypeOrder::kRetained}, {"bytes", TypeOrder::kBytes}, {"objects", TypeOrder::kObjects}},
        "largest first by this (retained)");
    line.Flag("--no-retained", no_retained_, "from the file's summary alone: all objects, garbage included, at once");
    line.Count("--top,--limit", top_, 1, "N", "how many rows (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    CAIRN_TRY(CheckOptions());
    auto pattern = ParsePattern(pattern_.empty() ? filter_ : pattern_);
    if (!pattern) return tl::make_unexpected(std::move(pattern).error());
    auto sources = OpenSnapshots({file_});
    if (!sources) return tl::make_unexpected(std::move(sources).error());
    NamedSummaries named = Named(*sources);
    auto rows = no_retained_ ? presentation::SummaryRows(*sources->front(), group_, *pattern)
                             : Computed(console, *sources->front(), *pattern, named.front());
    if (!rows) return tl::make_unexpected(std::move(rows).error());
    const TypesTable table(std::move(*rows), group_,
                           order_.value_or(no_retained_ ? TypeOrder::kBytes : TypeOrder::kRetained));
    if (*pattern && table.RowCount() == 0) NoteNoMatch(console, sources->front()->Summary(), **pattern);
    Print(console, named, table);
    return ExitCodeFor(named);
  }

 private:
  Status CheckOptions() const {
    if (no_retained_ && order_ == TypeOrder::kRetained)
      return Fail(ErrorKind::kUsage, "usage.conflict", "--no-retained leaves nothing to sort by --sort retained",
                  "Leave one of them out.");
    if (!pattern_.empty() && !filter_.empty())
      return Fail(ErrorKind::kUsage, "usage.conflict", "PATTERN and --filter say the same", "Give one of them.");
    return {};
  }

  // Where the objects cannot be read, the summary still can: it is given, and the damage told.
  Result<std::vector<TypeRow>> Computed(Console& console, presentation::FileHeapSource& source,
                                        const std::optional<presentation::TypePattern>& pattern,
                                        presentation::NamedSummary& named) const {
    auto opened = OpenSession(file_);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    auto rows = Asked(console, *opened->session, named, [&](session::SnapshotSession& session, analysis::Work& work) {
      return presentation::SessionRows(session, group_, pattern, work);
    });
    if (rows || rows.error().kind != ErrorKind::kDamaged) return rows;
    named.found = {{rows.error().code, rows.error().message, true}};
    return presentation::SummaryRows(source, group_, pattern);
  }

  void Print(Console& console, const NamedSummaries& named, const TypesTable& table) const {
    if (console.format == OutputFormat::kJson) return PrintJson(console, named, table);
    LabelIncomplete(console, named);
    PrintTable(console, table, console.Top(top_));
    if (console.format == OutputFormat::kText) PrintTotal(console, table);
  }

  void PrintJson(Console& console, const NamedSummaries& named, const TypesTable& table) const {
    presentation::JsonDocument document(console.Out());
    document.PutAll(presentation::CompletenessFields(named));
    presentation::JsonDocument::Rows rows(document, "types");
    presentation::Emit(table, console.Top(top_), rows);
    document.Finish();
  }

  void PrintTotal(Console& console, const TypesTable& table) const {
    using presentation::Counted;
    constexpr std::pair<const char*, const char*> kGroups[] = {
        {"type", "types"}, {"namespace", "namespaces"}, {"module", "modules"}, {"generation", "generations"}};
    const auto [one, many] = kGroups[static_cast<size_t>(group_)];
    console.Print(fmt::format("total {}, {} in {}\n", Counted(table.Objects(), "object", "objects"),
                              presentation::FullBytes(table.Bytes()), Counted(table.RowCount(), one, many)));
    if (table.UnreachableObjects() > 0)
      console.Print(fmt::format("and {}, {}\n",
                                Counted(table.UnreachableObjects(), "unreachable object", "unreachable objects"),
                                presentation::FullBytes(table.UnreachableBytes())));
  }

  std::string file_, pattern_, filter_;
  GroupBy group_ = GroupBy::kType;
  std::optional<TypeOrder> order_;
  bool no_retained_ = false;
  std::optional<uint64_t> top_;
};

}  // namespace

std::unique_ptr<Command> MakeTypesCommand() { return std::make_unique<TypesCommand>(); }

}  // namespace cairn::cli
