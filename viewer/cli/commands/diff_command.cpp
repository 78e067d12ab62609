#include "viewer/cli/commands/diff_command.h"

#include <fmt/format.h>

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/diff_table.h"
#include "viewer/presentation/tables/path_diff_table.h"

namespace cairn::cli {
namespace {

using presentation::DiffOrder;
using presentation::DiffTable;
using presentation::PathDiffTable;
using presentation::PathRow;
using presentation::TypeRow;

enum class By { kType, kPath };

class DiffCommand : public Command {
 public:
  CommandText Text() const override {
    return {"diff", "Compare snapshots", "what grew between two or more snapshots, per type or per path",
            "diff BASE HEAD [MORE…] [options]",
            "  cairn diff before.cairn after.cairn\n"
            "      the types whose reachable objects, their bytes, or what these retain changed, the largest growth\n"
            "      first. With more than two files growth counts from the first to the last.\n"
            "  cairn diff before.cairn after.cairn --by path\n"
            "      where objects piled up: Shop.Cache.Instance → _entries → [].value; array indices and repeated\n"
            "      steps do not count.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Arguments("FILE", files_, 2, "snapshots, the oldest first");
    line.Choice<By>("--by", by_, {{"type", By::kType}, {"path", By::kPath}}, "what a row stands for (type)");
    line.Choice<std::optional<DiffOrder>>(
        "--sort", order_,
        {{"bytes", DiffOrder::kBytes}, {"retained", DiffOrder::kRetained}, {"objects", DiffOrder::kObjects}},
        "the largest growth of a type first by this (bytes)");
    line.Flag("--all", all_, "unchanged rows too");
    line.Flag("--no-retained", no_retained_, "from the summaries alone: all objects, garbage included, at once");
    line.Count("--top", top_, 1, "N", "how many rows (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    CAIRN_TRY(CheckOptions());
    auto sources = OpenSnapshots(files_);
    if (!sources) return tl::make_unexpected(std::move(sources).error());
    NamedSummaries named = Named(*sources);
    auto printed = by_ == By::kPath ? PrintPaths(console, named) : PrintTypes(console, named);
    if (!printed) return tl::make_unexpected(std::move(printed).error());
    return ExitCodeFor(named);
  }

 private:
  using Rows = std::vector<TypeRow>;

  Status CheckOptions() const {
    if (no_retained_ && order_ == DiffOrder::kRetained)
      return Fail(ErrorKind::kUsage, "usage.conflict", "--no-retained leaves nothing to sort by --sort retained",
                  "Leave one of them out.");
    if (by_ == By::kPath && (no_retained_ || order_))
      return Fail(ErrorKind::kUsage, "usage.conflict", "--by path has an order of its own and needs the graph",
                  "Leave --sort and --no-retained out.");
    return {};
  }

  Status PrintTypes(Console& console, NamedSummaries& named) const {
    auto rows = RowsOf(console, named);
    if (!rows) return tl::make_unexpected(std::move(rows).error());
    const DiffTable table(*rows, all_, order_.value_or(DiffOrder::kBytes));
    if (console.format == OutputFormat::kJson)
      PrintJson(console, named, &table, nullptr);
    else
      PrintRows(console, named, table, *rows);
    return {};
  }

  Status PrintPaths(Console& console, NamedSummaries& named) const {
    std::vector<std::vector<PathRow>> all;
    for (presentation::NamedSummary& snapshot : named) {
      auto rows = PathsOf(console, snapshot);
      if (!rows) return tl::make_unexpected(std::move(rows).error());
      all.push_back(std::move(*rows));
    }
    const PathDiffTable table(all, all_);
    if (console.format == OutputFormat::kJson) {
      PrintJson(console, named, nullptr, &table);
    } else {
      LabelIncomplete(console, named);
      if (table.RowCount() == 0) console.Note("no path changed in objects or retained bytes");
      PrintTable(console, table, console.Top(top_));
    }
    return {};
  }

  static Result<std::vector<PathRow>> PathsOf(Console& console, presentation::NamedSummary& named) {
    auto opened = OpenSession(named.path);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    return Asked(console, *opened->session, named, [](session::SnapshotSession& session, analysis::Work& work) {
      return session.PathGroups({}, work).map([&](const std::vector<session::PathGroup>& groups) {
        return presentation::PathRows(session.GetSummary(), groups);
      });
    });
  }

  // One snapshot after the other, so that only one graph is in memory.
  Result<std::vector<Rows>> RowsOf(Console& console, NamedSummaries& named) const {
    std::vector<Rows> all;
    for (presentation::NamedSummary& snapshot : named) {
      auto rows = no_retained_ ? presentation::SummaryTypeRows(*snapshot.summary) : Computed(console, snapshot);
      if (!rows) return tl::make_unexpected(std::move(rows).error());
      all.push_back(std::move(*rows));
    }
    return all;
  }

  static Result<Rows> Computed(Console& console, presentation::NamedSummary& named) {
    auto opened = OpenSession(named.path);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    auto rows = Asked(console, *opened->session, named, [](session::SnapshotSession& session, analysis::Work& work) {
      return presentation::SessionRows(session, presentation::GroupBy::kType, {}, work);
    });
    if (rows || rows.error().kind != ErrorKind::kDamaged) return rows;
    named.found = {{rows.error().code, rows.error().message, true}};
    return presentation::SummaryTypeRows(*named.summary);
  }

  // One of the tables; the other list is empty.
  void PrintJson(Console& console, const NamedSummaries& named, const DiffTable* types,
                 const PathDiffTable* paths) const {
    presentation::JsonDocument document(console.Out());
    document.PutAll(presentation::CompletenessFields(named));
    document.Put("snapshots", files_);
    PutRows(console, document, "types", types);
    PutRows(console, document, "paths", paths);
    document.Finish();
  }

  void PutRows(Console& console, presentation::JsonDocument& document, const char* key,
               const presentation::Table* table) const {
    if (table == nullptr) return document.Put(key, presentation::Json::array());
    presentation::JsonDocument::Rows rows(document, key);
    presentation::Emit(*table, console.Top(top_), rows);
  }

  void PrintRows(Console& console, const NamedSummaries& named, const DiffTable& table,
                 const std::vector<Rows>& rows) const {
    LabelIncomplete(console, named);
    if (table.RowCount() == 0) console.Note("no type changed in objects or bytes");
    PrintTable(console, table, console.Top(top_));
    if (console.format == OutputFormat::kText) PrintTotal(console, rows);
  }

  struct Total {
    uint64_t objects = 0, bytes = 0;
  };
  static Total Sum(const Rows& rows) {
    Total total;
    for (const TypeRow& row : rows) {
      total.objects += row.objects;
      total.bytes += row.bytes;
    }
    return total;
  }

  static void PrintTotal(Console& console, const std::vector<Rows>& rows) {
    const Total base = Sum(rows.front()), head = Sum(rows.back());
    const auto grown = [](uint64_t from, uint64_t to) {
      return presentation::GroupedDifference(static_cast<int64_t>(to - from));
    };
    console.Print(fmt::format("total {} bytes, {} objects: from {} to {}\n", grown(base.bytes, head.bytes),
                              grown(base.objects, head.objects), presentation::FullBytes(base.bytes),
                              presentation::FullBytes(head.bytes)));
  }

  std::vector<std::string> files_;
  By by_ = By::kType;
  std::optional<DiffOrder> order_;
  bool all_ = false, no_retained_ = false;
  std::optional<uint64_t> top_;
};

}  // namespace

std::unique_ptr<Command> MakeDiffCommand() { return std::make_unique<DiffCommand>(); }

}  // namespace cairn::cli
