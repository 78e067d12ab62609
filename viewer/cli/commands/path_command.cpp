#include "viewer/cli/commands/path_command.h"

#include <fmt/format.h>

#include "viewer/analysis/heap_graph.h"
#include "viewer/cli/locals_option.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/allocations/allocated_at.h"
#include "viewer/presentation/allocations/allocated_paths.h"
#include "viewer/presentation/documents/path_document.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/objects_table.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {
namespace {

constexpr uint64_t kDefaultLimit = 10;
constexpr size_t kMostTypes = 10;  // whose allocations are told in text

class PathCommand : public Command {
 public:
  CommandText Text() const override {
    return {"path", "Read a snapshot", "what keeps objects alive: paths from roots",
            "path FILE OBJECT | PATTERN [options]",
            "  cairn path shop.cairn Shop.Order\n"
            "      who holds the orders: their shortest paths, equal ones merged, the most objects first, such as\n"
            "      Shop.Cache.Instance → _entries → [5].value\n"
            "  cairn path shop.cairn @12\n"
            "      its shortest path, then the shortest ones by its other referrers.\n"
            "  cairn path tests.cairn --type Shop.Order --ignore-locals 'frame=Xunit.*'\n"
            "      as if the locals of threads with such a frame held nothing; what only they hold is told apart.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Argument("OBJECT|PATTERN", subject_, false, "@INDEX, INDEX or 0xADDRESS; or the objects of these types");
    line.Text("--object", object_, "OBJECT", "the same as OBJECT");
    line.Text("--type", type_, "PATTERN", "the same as PATTERN");
    line.Count("--limit,--top", limit_, 1, "N", "how many paths (10; JSON and CSV of --type: all)");
    line.Flag("--all", all_, "every path, and every step of it");
    locals_.Configure(line);
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    CAIRN_TRY(TakeSubject());
    CAIRN_TRY(CheckOptions());
    CAIRN_TRY(locals_.Read());
    auto pattern = ParsePattern(type_);
    if (!pattern) return tl::make_unexpected(std::move(pattern).error());
    auto name = ParseObject();
    if (!name) return tl::make_unexpected(std::move(name).error());
    auto opened = locals_.Open(file_);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    session::PathRequest request = Request(console);
    if (*pattern) request.types = SelectTypes(console, opened->session->GetSummary(), **pattern);
    auto paths = Asked(console, *opened, [&](session::SnapshotSession& session, analysis::Work& work) {
      return Paths(session, request, *name, work);
    });
    if (!paths) return tl::make_unexpected(std::move(paths).error());
    auto rest = HeldByIgnored(console, *opened, request, *paths);
    if (!rest) return tl::make_unexpected(std::move(rest).error());
    auto allocated = Allocated(console, *opened, request);
    if (!allocated) return tl::make_unexpected(std::move(allocated).error());
    Print(console, opened->named, *paths, *rest, *allocated);
    return ExitCodeFor(opened->named);
  }

 private:
  using MaybeName = std::optional<presentation::ObjectName>;
  struct Allocations {
    std::vector<presentation::TypeAllocations> types;
    std::vector<presentation::AllocationSites> paths;  // of objects of types, for documents
  };

  // Given without an option it tells by itself what it is.
  Status TakeSubject() {
    if (subject_.empty()) return {};
    if (!object_.empty() || !type_.empty())
      return Fail(ErrorKind::kUsage, "usage.conflict", "OBJECT or PATTERN and --object or --type say the same",
                  "Give one of them.");
    const bool is_object = subject_.starts_with('@') || presentation::ParseObjectName(subject_);
    (is_object ? object_ : type_) = subject_;
    return {};
  }

  Status CheckOptions() const {
    if (object_.empty() && type_.empty())
      return Fail(ErrorKind::kUsage, "usage.missing_argument", "path needs an object or a type",
                  "As in: cairn path shop.cairn Shop.Order");
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

  // What is only reachable from the locals that do not count. The summary that its paths refer to goes with it.
  struct Rest {
    std::unique_ptr<session::SnapshotSession> session;  // none: there is nothing
    session::RootPaths paths;
  };

  Result<Rest> HeldByIgnored(Console& console, OpenedSession& opened, const session::PathRequest& request,
                             const session::RootPaths& counted) const {
    Rest rest;
    if (!locals_.IsGiven() || counted.unreachable == 0) return rest;
    auto whole = OpenSession(file_);
    if (!whole) return tl::make_unexpected(std::move(whole).error());
    auto paths = Asked(console, *whole, [&](session::SnapshotSession& session, analysis::Work& work) {
      return session.Graph(work).and_then([&](const analysis::HeapGraph* graph) {
        const auto wanted = [&](session::ObjectIndex object) {
          return request.object ? object == *request.object : bool(request.types[graph->TypeOf(object).value]);
        };
        return session::PathsOfTheRest(session, *opened.session, wanted, request.max_steps, work);
      });
    });
    if (!paths) return tl::make_unexpected(std::move(paths).error());
    rest.session = std::move(whole->session);
    rest.paths = std::move(*paths);
    return rest;
  }

  // Where objects of the types asked for were allocated.
  static Result<Allocations> Allocated(Console& console, OpenedSession& opened, const session::PathRequest& request) {
    auto types = Asked(console, opened, [&](session::SnapshotSession& session, analysis::Work& work) {
      return session.Graph(work).and_then([&](const analysis::HeapGraph* graph) {
        std::vector<bool> chosen = request.types;
        chosen.resize(session.GetSummary().types.size());
        if (request.object) chosen[graph->TypeOf(*request.object).value] = true;
        return presentation::AllocationsOfTypes(session, chosen, work);
      });
    });
    if (!types) return tl::make_unexpected(std::move(types).error());
    if (request.object || console.format != OutputFormat::kJson) return Allocations{std::move(*types), {}};
    auto paths = Asked(console, opened, [&](session::SnapshotSession& session, analysis::Work& work) {
      return presentation::AllocationSitesByPath(session, request.types, work);
    });
    if (!paths) return tl::make_unexpected(std::move(paths).error());
    return Allocations{std::move(*types), std::move(*paths)};
  }

  void Print(Console& console, const NamedSummaries& named, const session::RootPaths& paths, const Rest& rest,
             const Allocations& allocated) const {
    const snapshot::Summary& summary = *named.front().summary;
    if (console.format == OutputFormat::kJson) return PrintJson(console, named, paths, rest, allocated);
    LabelIncomplete(console, named);
    NoteUnreachable(console, paths, rest);
    if (console.format == OutputFormat::kCsv) {
      presentation::PathTable table(summary, paths);
      table.SayAllocated(allocated.types);
      return PrintTable(console, table, std::nullopt);
    }
    presentation::WritePathsText(summary, paths, console.OutStyle(), console.Out());
    if (object_.empty() && paths.objects > 0) PrintTotal(console, paths);
    if (rest.paths.objects > 0) PrintRest(console, rest);
    console.Print(presentation::TypeAllocationsText(summary, allocated.types, kMostTypes));
  }

  void PrintJson(Console& console, const NamedSummaries& named, const session::RootPaths& paths, const Rest& rest,
                 const Allocations& allocated) const {
    const snapshot::Summary& summary = *named.front().summary;
    presentation::JsonDocument document(console.Out());
    document.PutAll(presentation::CompletenessFields(named));
    presentation::JsonDocument::Elements elements(document, "paths");
    for (size_t i = 0; i < paths.paths.size(); ++i) {
      presentation::Json fields = presentation::PathFields(summary, paths.paths[i]);
      if (i < allocated.paths.size())
        fields["allocated"] = presentation::AllocationSitesJson(summary, allocated.paths[i]);
      if (!elements.Add(std::move(fields))) break;
    }
    elements.Finish();
    document.PutAll({{"total", paths.total}, {"objects", paths.objects}, {"unreachable", paths.unreachable}});
    if (summary.sampling) document.Put("types_allocated", presentation::TypeAllocationsJson(summary, allocated.types));
    if (locals_.IsGiven()) document.Put("ignored_locals", RestFields(rest));
    document.Finish();
  }

  static presentation::Json RestFields(const Rest& rest) {
    presentation::Json paths = presentation::Json::array();
    for (const session::RootPath& path : rest.paths.paths)
      paths.push_back(presentation::PathFields(rest.session->GetSummary(), path));
    return {{"objects", rest.paths.objects}, {"paths", std::move(paths)}};
  }

  static void PrintRest(Console& console, const Rest& rest) {
    console.Print(fmt::format("\nnot counted: {} held by locals only\n",
                              presentation::Counted(rest.paths.objects, "object", "objects")));
    presentation::WritePathsText(rest.session->GetSummary(), rest.paths, console.OutStyle(), console.Out());
  }

  void NoteUnreachable(Console& console, const session::RootPaths& paths, const Rest& rest) const {
    if (paths.objects > 0 || paths.unreachable == 0 || rest.paths.objects > 0) return;
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

  std::string file_, subject_, object_, type_;
  LocalsOption locals_;
  std::optional<uint64_t> limit_;
  bool all_ = false;
};

}  // namespace

std::unique_ptr<Command> MakePathCommand() { return std::make_unique<PathCommand>(); }

}  // namespace cairn::cli
