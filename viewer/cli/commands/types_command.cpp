#include "viewer/cli/commands/types_command.h"

#include <fmt/format.h>

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/types_table.h"

namespace cairn::cli {
namespace {

using presentation::GroupBy;
using presentation::TypesTable;

enum class Sort { kRetained, kBytes, kObjects };

class TypesCommand : public Command {
 public:
  CommandText Text() const override {
    return {"types", "Read a snapshot", "objects and bytes per type", "types FILE [PATTERN] [options]",
            "  cairn types shop.cairn 'Shop.*' --top 10\n"
            "      the ten types of the namespace Shop that take the most bytes.\n"
            "  A pattern is a full name, a glob with * or ?, a part of a name, or a /regular expression/.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Argument("PATTERN", pattern_, false, "which types (all without it)");
    line.Text("--filter", filter_, "PATTERN", "the same as PATTERN");
    line.Choice<GroupBy>("--by", group_,
                         {{"type", GroupBy::kType},
                          {"namespace", GroupBy::kNamespace},
                          {"module", GroupBy::kModule},
                          {"generation", GroupBy::kGeneration}},
                         "what a row stands for (type)");
    line.Choice<Sort>("--sort", sort_,
                      {{"retained", Sort::kRetained}, {"bytes", Sort::kBytes}, {"objects", Sort::kObjects}},
                      "largest first by this (bytes)");
    line.Flag("--no-retained", no_retained_, "from the file's summary alone, without reachability");
    line.Count("--top", top_, 1, "N", "how many rows (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    if (auto usable = CheckOptions(); !usable) return tl::make_unexpected(std::move(usable).error());
    auto pattern = ParsePattern(pattern_.empty() ? filter_ : pattern_);
    if (!pattern) return tl::make_unexpected(std::move(pattern).error());
    auto sources = OpenSnapshots({file_});
    if (!sources) return tl::make_unexpected(std::move(sources).error());
    const auto order = sort_ == Sort::kObjects ? presentation::TypeOrder::kObjects : presentation::TypeOrder::kBytes;
    auto table = presentation::MakeTypesTable(*sources->front(), group_, order, *pattern);
    if (!table) return tl::make_unexpected(std::move(table).error());
    if (*pattern && table->RowCount() == 0) NoteNoMatch(console, **pattern);
    Print(console, *sources, *table);
    return ExitCodeFor(*sources);
  }

 private:
  Status CheckOptions() const {
    if (sort_ == Sort::kRetained)
      return NotYet("retained.not_available", "retained sizes", "Sort by bytes or by objects meanwhile.");
    if (!pattern_.empty() && !filter_.empty())
      return Fail(ErrorKind::kUsage, "usage.conflict", "PATTERN and --filter say the same", "Give one of them.");
    return {};
  }

  void Print(Console& console, const Sources& sources, const TypesTable& table) const {
    if (console.format == OutputFormat::kJson) return PrintJson(console, sources, table);
    LabelIncomplete(console, sources);
    PrintTable(console, table, console.Top(top_));
    if (console.format == OutputFormat::kText) PrintTotal(console, table);
  }

  void PrintJson(Console& console, const Sources& sources, const TypesTable& table) const {
    presentation::JsonDocument document(console.Out());
    document.PutAll(presentation::CompletenessFields(Named(sources)));
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
  }

  std::string file_, pattern_, filter_;
  GroupBy group_ = GroupBy::kType;
  Sort sort_ = Sort::kBytes;
  bool no_retained_ = false;
  std::optional<uint64_t> top_;
};

}  // namespace

std::unique_ptr<Command> MakeTypesCommand() { return std::make_unique<TypesCommand>(); }

}  // namespace cairn::cli
