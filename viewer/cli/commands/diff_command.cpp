#include "viewer/cli/commands/diff_command.h"

#include <fmt/format.h>

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/allocations/allocated_at.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/diff_table.h"
#include "viewer/presentation/tables/path_diff_table.h"
#include "viewer/session/followed_objects.h"

namespace cairn::cli {
namespace {

using presentation::AllocatedByType;
using presentation::DiffOrder;
using presentation::DiffTable;
using presentation::PathDiffTable;
using presentation::PathRow;
using presentation::TypeRow;

enum class By { kType, kNamespace, kPath };

class DiffCommand : public Command {
 public:
  CommandText Text() const override {
    return {
        "diff", "Compare snapshots", "what grew between two or more snapshots, per type, namespace or path",
        "diff BASE HEAD [MORE…] [options]",
        "  cairn diff before.cairn after.cairn\n"
        "      the types whose reachable objects, their bytes, or what these retain changed, the largest growth\n"
        "      first.\n"
        "  cairn diff monday.cairn tuesday.cairn wednesday.cairn thursday.cairn\n"
        "      what grows all the time comes before what jumped once; the trend shows each row's bytes as bars. One\n"
        "      snapshot is in memory at a time.\n"
        "  cairn diff before.cairn after.cairn --by path\n"
        "      where objects piled up: Shop.Cache.Instance → _entries → [].value; array indices and repeated\n"
        "      steps do not count.\n"
        "  cairn diff growth/*.cairn\n"
        "      snapshots of one watch --track: per type also how many of the first one's objects survived, how many\n"
        "      died, how many of the last one's are new, and of how many this is not certain.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Arguments("FILE", files_, 2, "snapshots, the oldest first");
    line.Choice<By>("--by", by_, {{"type", By::kType}, {"namespace", By::kNamespace}, {"path", By::kPath}},
                    "what a row stands for (type)");
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
    Outlines outlines;
    CAIRN_TRY(ReadOutlines(outlines));
    NamedSummaries named;
    for (size_t i = 0; i < files_.size(); ++i) named.push_back({files_[i], outlines[i].get(), {}});
    NoteBackwards(console, named);
    auto printed = by_ == By::kPath ? PrintPaths(console, named) : PrintTypes(console, named);
    if (!printed) return tl::make_unexpected(std::move(printed).error());
    return ExitCodeFor(named);
  }

 private:
  using Rows = std::vector<TypeRow>;

  // What became of the objects of the first snapshot, followed from one to the next.
  struct Identity {
    bool wanted = false;
    std::optional<session::FollowedObjects> objects;
    std::optional<session::IdentityByType> counts;  // in the snapshot looked at last
  };

  Status CheckOptions() const {
    if (no_retained_ && order_ == DiffOrder::kRetained)
      return Fail(ErrorKind::kUsage, "usage.conflict", "--no-retained leaves nothing to sort by --sort retained",
                  "Leave one of them out.");
    if (by_ == By::kPath && (no_retained_ || order_))
      return Fail(ErrorKind::kUsage, "usage.conflict", "--by path has an order of its own and needs the graph",
                  "Leave --sort and --no-retained out.");
    return {};
  }

  // What is kept of a snapshot when it is closed again: whether it is complete, and its problems.
  using Outlines = std::vector<std::unique_ptr<snapshot::Summary>>;

  // Every file is looked at before the first long computation, so that a wrong name is told at once.
  Status ReadOutlines(Outlines& outlines) const {
    for (const std::string& file : files_) {
      const auto source = presentation::FileHeapSource::Open(file);
      if (!source) return tl::make_unexpected(source.error());
      auto& outline = *outlines.emplace_back(std::make_unique<snapshot::Summary>());
      outline.complete = (*source)->Summary().complete;
      outline.capture.id = (*source)->Summary().capture.id;
      outline.capture.captured_at = (*source)->Summary().capture.captured_at;
      outline.tracking = (*source)->Summary().tracking;
      if (outline.tracking) outline.tracking->ranges.clear();
      outline.problems = (*source)->Summary().problems;
    }
    return {};
  }

  presentation::GroupBy Group() const {
    return by_ == By::kNamespace ? presentation::GroupBy::kNamespace : presentation::GroupBy::kType;
  }

  Status PrintTypes(Console& console, NamedSummaries& named) const {
    Identity identity;
    identity.wanted = by_ == By::kType && !no_retained_ && AllFollowed(named);
    AllocatedByType allocated;
    auto rows = RowsOf(console, named, identity, allocated);
    if (!rows) return tl::make_unexpected(std::move(rows).error());
    SayWhatWasLost(named);
    DiffTable table(*rows, all_, order_.value_or(DiffOrder::kBytes), by_ == By::kNamespace ? "Namespace" : "Type",
                    identity.counts ? &*identity.counts : nullptr);
    table.SayAllocated(std::move(allocated));
    if (console.format == OutputFormat::kJson)
      PrintJson(console, named, &table, nullptr);
    else
      PrintRows(console, named, table, *rows);
    return {};
  }

  Status PrintPaths(Console& console, NamedSummaries& named) const {
    std::vector<std::vector<PathRow>> all;
    AllocatedByType allocated;
    for (presentation::NamedSummary& snapshot : named) {
      auto rows = PathsOf(console, snapshot, allocated);
      if (!rows) return tl::make_unexpected(std::move(rows).error());
      all.push_back(std::move(*rows));
    }
    PathDiffTable table(all, all_);
    table.SayAllocated(std::move(allocated));
    if (console.format == OutputFormat::kJson) {
      PrintJson(console, named, nullptr, &table);
    } else {
      LabelIncomplete(console, named);
      if (table.RowCount() == 0) console.Note("no path changed in objects or retained bytes");
      PrintTable(console, table, console.Top(top_));
    }
    return {};
  }

  // What is told of the snapshot that is looked at last.
  static Status TellAllocated(session::SnapshotSession& session, AllocatedByType& allocated, analysis::Work& work) {
    auto told = presentation::AllocatedWordsByType(session, work);
    if (!told) return tl::make_unexpected(std::move(told).error());
    allocated = std::move(*told);
    return {};
  }

  static Result<std::vector<PathRow>> PathsOf(Console& console, presentation::NamedSummary& named,
                                              AllocatedByType& allocated) {
    auto opened = OpenSession(named.path);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    return Asked(console, *opened->session, named, [&](session::SnapshotSession& session, analysis::Work& work) {
      const Status told = TellAllocated(session, allocated, work);
      if (!told) return Result<std::vector<PathRow>>(tl::make_unexpected(told.error()));
      return session.PathGroups({}, work).map([&](const std::vector<session::PathGroup>& groups) {
        return presentation::PathRows(session.GetSummary(), groups);
      });
    });
  }

  // One snapshot after the other, so that only one is in memory.
  Result<std::vector<Rows>> RowsOf(Console& console, NamedSummaries& named, Identity& identity,
                                   AllocatedByType& allocated) const {
    std::vector<Rows> all;
    for (presentation::NamedSummary& snapshot : named) {
      auto rows = no_retained_ ? FromSummary(snapshot.path) : Computed(console, snapshot, identity, allocated);
      if (!rows) return tl::make_unexpected(std::move(rows).error());
      all.push_back(std::move(*rows));
    }
    return all;
  }

  Result<Rows> FromSummary(const std::string& path) const {
    auto source = presentation::FileHeapSource::Open(path);
    if (!source) return tl::make_unexpected(std::move(source).error());
    return presentation::SummaryRows(**source, Group(), {});
  }

  static bool AllFollowed(const NamedSummaries& named) {
    for (size_t i = 1; i < named.size(); ++i)
      if (!session::WhyNotFollowed(*named[i - 1].summary, *named[i].summary).empty()) return false;
    return true;
  }

  // A snapshot that was to follow the one before and could not says why.
  static void SayWhatWasLost(NamedSummaries& named) {
    for (size_t i = 1; i < named.size(); ++i) {
      const std::string why = session::WhyNotFollowed(*named[i - 1].summary, *named[i].summary);
      if (why.empty() || !named[i].summary->tracking) continue;
      named[i].found.push_back({"track.lost", "What became of the objects before is not known: " + why + ".", false});
    }
  }

  static Status Follow(session::SnapshotSession& session, Identity& identity, analysis::Work& work) {
    const snapshot::Summary& summary = session.GetSummary();
    std::vector<session::TypeKey> types;
    for (const snapshot::Type& type : summary.types)
      types.emplace_back(presentation::TypeName(type), presentation::ModuleName(summary, type));
    if (!identity.objects) {
      auto objects = session::FollowedObjects::Of(session, std::move(types), work);
      if (!objects) return tl::make_unexpected(objects.error());
      identity.objects = std::move(*objects);
      return {};
    }
    identity.objects->MoveOn(*summary.tracking);
    auto counts = identity.objects->FindIn(session, types, work);
    if (!counts) return tl::make_unexpected(counts.error());
    identity.counts = std::move(*counts);
    return {};
  }

  Result<Rows> Computed(Console& console, presentation::NamedSummary& named, Identity& identity,
                        AllocatedByType& allocated) const {
    auto opened = OpenSession(named.path);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    auto rows = Asked(console, *opened->session, named, [&](session::SnapshotSession& session, analysis::Work& work) {
      auto computed = presentation::SessionRows(session, Group(), {}, work);
      Status also = by_ == By::kType && computed ? TellAllocated(session, allocated, work) : Status();
      if (computed && also && identity.wanted) also = Follow(session, identity, work);
      return also ? computed : tl::make_unexpected(also.error());
    });
    if (rows || rows.error().kind != ErrorKind::kDamaged) return rows;
    named.found = {{rows.error().code, rows.error().message, true}};
    return FromSummary(named.path);
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
    if (table.RowCount() == 0)
      console.Note(fmt::format("no {} changed in objects or bytes", by_ == By::kNamespace ? "namespace" : "type"));
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
