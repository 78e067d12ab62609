#include "viewer/cli/commands/query_command.h"

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/tables/query_rows.h"
#include "viewer/query/query.h"

namespace cairn::cli {
namespace {

constexpr std::chrono::milliseconds kUsualTime = std::chrono::minutes(5);
constexpr uint64_t kLeastMemory = 16 << 20;

std::string TableLines() {
  std::string text;
  for (const std::string& table : query::Query::Tables()) text += "      " + table + "\n";
  return text;
}

class QueryCommand : public Command {
 public:
  CommandText Text() const override {
    return {
        "query", "Read a snapshot", "SQL over one or more snapshots", "query FILE… SQL [options]",
        "  cairn query shop.cairn \"SELECT type, count(*), sum(bytes) FROM objects WHERE generation='loh'\n"
        "                          GROUP BY type ORDER BY 3 DESC\"\n"
        "      what lies in the large object heap, by type.\n"
        "  cairn query a.cairn b.cairn \"SELECT b.type, b.retained - a.retained AS growth FROM types a JOIN types b\n"
        "                               USING (type) WHERE a.snapshot=1 AND b.snapshot=2 ORDER BY growth DESC\"\n"
        "      how much more each type retains in the second file. The column snapshot numbers the files: 1, 2, …\n"
        "  One SELECT of SQLite; nothing else is allowed. Objects are looked up by object, address, type, type_id\n"
        "  and dominator, edges by source and target, types by type_id and type, without looking at all of them.\n"
        "  Sizes are bytes; types counts reachable objects as cairn types does; what is not known is NULL. roots has a "
        "row\n"
        "  for each object of the frozen heap, too, which info counts as objects only. Blobs are shown as x'00ff';\n"
        "  in JSON a number without bounds is the text \"Infinity\".\n" +
            TableLines()};
  }

  void Configure(CommandLine& line) override {
    line.Arguments("FILE… SQL", arguments_, 2, "snapshots, then one SELECT statement");
    line.Duration("-t,--timeout", timeout_, presentation::BareNumber::kSeconds, "TIME", "give up after so long (5m)",
                  {});
    line.Text("--memory", memory_, "SIZE", "what sorting, grouping and joining may take (1GiB)");
    line.Count("--top", top_, 1, "N", "how many rows (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    sql::QueryLimits limits;
    limits.time = timeout_.value_or(kUsualTime);
    if (!memory_.empty()) {
      const auto bytes = presentation::ParseSize(memory_);
      if (!bytes) return tl::make_unexpected(bytes.error());
      limits.memory_bytes = std::max(*bytes, kLeastMemory);
    }
    std::vector<OpenedSession> opened;
    for (size_t i = 0; i + 1 < arguments_.size(); ++i) {
      auto session = OpenSession(arguments_[i]);
      if (!session) return tl::make_unexpected(std::move(session).error());
      opened.push_back(std::move(*session));
    }
    return Answer(console, opened, limits);
  }

 private:
  Result<int> Answer(Console& console, std::vector<OpenedSession>& opened, const sql::QueryLimits& limits) {
    analysis::Work work;
    std::vector<session::SnapshotSession*> sessions;
    uint64_t objects = 0;
    for (OpenedSession& one : opened) {
      sessions.push_back(one.session.get());
      objects += one.session->GetSummary().totals.objects;
      one.session->SetCacheEvents(EventsFor(console));
    }
    WorkMonitor monitor(console, work, objects);
    NamedSummaries named;
    for (OpenedSession& one : opened) {
      auto problems = one.session->GraphProblems(work);
      if (!problems) return tl::make_unexpected(std::move(problems).error());
      one.named.front().found = std::move(*problems);
      named.push_back(one.named.front());
    }
    query::Query query(sessions, work);
    const auto run = [&](sql::ResultSink& sink) { return query.Run(arguments_.back(), limits, sink); };
    return console.format == OutputFormat::kJson ? PrintJson(console, monitor, named, run)
                                                 : PrintTable(console, monitor, named, run);
  }

  template <class RunQuery>
  Result<int> PrintTable(Console& console, WorkMonitor& monitor, const NamedSummaries& named, RunQuery run) {
    const auto sink = TextOrCsv(console);
    presentation::QueryTableRows rows(*sink, console.Top(top_), [&] {
      monitor.Quiet();
      LabelIncomplete(console, named);
    });
    if (const Status done = run(rows); !done) return tl::make_unexpected(done.error());
    rows.Finish();
    if (rows.RowCount() == 0) console.Note("no rows");
    return ExitCodeFor(named);
  }

  template <class RunQuery>
  Result<int> PrintJson(Console& console, WorkMonitor& monitor, const NamedSummaries& named, RunQuery run) {
    presentation::QueryJsonRows rows(console.Out(), top_, [&] {
      monitor.Quiet();
      return presentation::CompletenessFields(named);
    });
    const Status done = run(rows);
    if (!done && !rows.HasBegun()) return tl::make_unexpected(done.error());
    rows.Finish(done ? nullptr : &done.error());
    return done ? ExitCodeFor(named) : ExitCodeOf(done.error());
  }

  std::vector<std::string> arguments_;
  std::string memory_;
  std::optional<std::chrono::milliseconds> timeout_;
  std::optional<uint64_t> top_;
};

}  // namespace

std::unique_ptr<Command> MakeQueryCommand() { return std::make_unique<QueryCommand>(); }

}  // namespace cairn::cli
