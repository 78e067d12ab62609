#include "viewer/cli/commands/path_command.h"

#include <fmt/format.h>

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/documents/path_document.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/objects_table.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {
namespace {

constexpr uint64_t kDefaultLimit = 10;

class PathCommand : public Command {
 public:
  CommandText Text() const override {
    return {"path", "Read a snapshot", "what keeps objects alive: paths from roots",
            "path FILE --object OBJECT | --type PATTERN [options]",
            "  cairn path shop.cairn --type Shop.Order\n"
            "      who holds the orders: their shortest paths, equal ones merged, the most objects first, such as\n"
            "      Shop.Cache.Instance → _entries → [5].value\n"
            "  cairn path shop.cairn --object @12\n"
            "      its shortest path, then the shortest ones by its other referrers.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Text("--object", object_, "OBJECT", "@INDEX, INDEX or 0xADDRESS");
    line.Text("--type", type_, "PATTERN", "all objects of these types");
    line.Count("--limit", limit_, 1, "N", "how many paths (10; JSON and CSV of --type: all)");
    line.Flag("--all", all_, "every path, and every step of it");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    CAIRN_TRY(CheckOptions());
    auto pattern = ParsePattern(type_);
    if (!pattern) return tl::make_unexpected(std::move(pattern).error());
    auto name = ParseObject();
    if (!name) return tl::make_unexpected(std::move(name).error());
    auto opened = OpenSession(file_);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    session::PathRequest request = Request(console);
    if (*pattern) request.types = SelectTypes(console, opened->session->GetSummary(), **pattern);
    auto paths = Asked(console, *opened, [&](session::SnapshotSession& session, analysis::Work& work) {
      return Paths(session, request, *name, work);
    });
    if (!paths) return tl::make_unexpected(std::move(paths).error());
    Print(console, opened->named, *paths);
    return ExitCodeFor(opened->named);
  }

 private:
  using MaybeName = std::optional<presentation::ObjectName>;

  Status CheckOptions() const {
    if (object_.empty() && type_.empty())
      return Fail(ErrorKind::kUsage, "usage.missing_argument", "path needs --object or --type",
                  "As in: cairn path shop.cairn --type Shop.Order");
    if (!object_.empty() && !type_.empty())
      return Fail(ErrorKind::kUsage, "usage.conflict", "--object and --type ask for different things",
                  "Give one of them.");
    if (all_ && limit_)
      return Fail(ErrorKind::kUsage, "usage.conflict", "--all and --limit contradict each other", "Give one of them.");
    return {};
  }

  Result<MaybeName> ParseObject() const {
    if (object_.empty()) return MaybeName();
    return presentation::ParseObjectName(object_).map([](const auto& name) { return MaybeName(name); });
  }

  session::PathRequest Request(const Console& console) const {
    session::PathRequest request;
    request.with_retained = true;
    const bool everything = all_ || (console.format != OutputFormat::kText && object_.empty());
    request.limit = limit_.value_or(everything ? UINT64_MAX : kDefaultLimit);
    if (all_ || console.format != OutputFormat::kText) request.max_steps = UINT64_MAX;
    if (console.format == OutputFormat::kText && !all_) request.max_steps = 100;
    return request;
  }

  static Result<session::RootPaths> Paths(session::SnapshotSession& session, session::PathRequest& request,
                                          const MaybeName& name, analysis::Work& work) {
    if (name) {
      const auto object = presentation::FindObject(session, *name, work);
      if (!object) return tl::make_unexpected(object.error());
      request.object = *object;
    }
    return session.Paths(request, work);
  }

  void Print(Console& console, const NamedSummaries& named, const session::RootPaths& paths) const {
    const snapshot::Summary& summary = *named.front().summary;
    if (console.format == OutputFormat::kJson) return PrintJson(console, named, paths);
    LabelIncomplete(console, named);
    NoteUnreachable(console, paths);
    if (console.format == OutputFormat::kCsv)
      return PrintTable(console, presentation::PathTable(summary, paths), std::nullopt);
    presentation::WritePathsText(summary, paths, console.OutStyle(), console.Out());
    if (object_.empty() && paths.objects > 0) PrintTotal(console, paths);
  }

  static void PrintJson(Console& console, const NamedSummaries& named, const session::RootPaths& paths) {
    presentation::JsonDocument document(console.Out());
    document.PutAll(presentation::CompletenessFields(named));
    presentation::JsonDocument::Elements elements(document, "paths");
    for (const session::RootPath& path : paths.paths)
      if (!elements.Add(presentation::PathFields(*named.front().summary, path))) break;
    elements.Finish();
    document.PutAll({{"total", paths.total}, {"objects", paths.objects}, {"unreachable", paths.unreachable}});
    document.Finish();
  }

  void NoteUnreachable(Console& console, const session::RootPaths& paths) const {
    if (paths.objects > 0 || paths.unreachable == 0) return;
    console.Note(object_.empty() ? fmt::format("nothing keeps the {} of {} alive: no path from a root leads there",
                                               presentation::Counted(paths.unreachable, "object", "objects"),
                                               presentation::VisibleText(type_))
                                 : fmt::format("nothing keeps {} alive: no path from a root leads to it",
                                               presentation::VisibleText(object_)));
  }

  static void PrintTotal(Console& console, const session::RootPaths& paths) {
    using presentation::Counted;
    console.Print(fmt::format("total {} by {}", Counted(paths.objects, "object", "objects"),
                              Counted(paths.total, "path", "paths")));
    if (paths.unreachable > 0)
      console.Print(fmt::format(", and {}", Counted(paths.unreachable, "unreachable object", "unreachable objects")));
    console.Print("\n");
  }

  std::string file_, object_, type_;
  std::optional<uint64_t> limit_;
  bool all_ = false;
};

}  // namespace

std::unique_ptr<Command> MakePathCommand() { return std::make_unique<PathCommand>(); }

}  // namespace cairn::cli
