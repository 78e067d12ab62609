#include "viewer/cli/commands/objects_command.h"

#include <fmt/format.h>

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/objects_table.h"

namespace cairn::cli {
namespace {

using presentation::ObjectsShown;
using session::ObjectOrder;
using snapshot::Generation;

class ObjectsCommand : public Command {
 public:
  CommandText Text() const override {
    return {"objects", "Read a snapshot", "single objects: those of a type that retain the most, or those named",
            "objects FILE [OBJECT…] [--type PATTERN] [options]",
            "  cairn objects shop.cairn --type Shop.Order --generation gen2\n"
            "      the 30 Shop.Order in generation 2 that retain the most.\n"
            "  cairn objects shop.cairn @12 0x7f12a0001000\n"
            "      these two; @INDEX is valid within one file.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Arguments("OBJECT", names_, 0, "@INDEX, INDEX or 0xADDRESS");
    line.Text("--type", type_, "PATTERN", "only instances of these types");
    line.Choice<std::optional<ObjectOrder>>(
        "--sort", order_,
        {{"retained", ObjectOrder::kRetained}, {"bytes", ObjectOrder::kBytes}, {"address", ObjectOrder::kAddress}},
        "largest first, or in address order (retained)");
    line.Choice<std::optional<Generation>>("--generation", generation_, Generations(),
                                           "only objects of this generation");
    line.Flag("--unreachable", unreachable_, "objects that nothing keeps alive, instead of reachable ones");
    line.Flag("--no-retained", no_retained_, "without the graph: reachable and unreachable ones, nothing retained");
    line.Count("--top,--limit", top_, 1, "N", "how many rows (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    if (auto usable = CheckOptions(); !usable) return tl::make_unexpected(std::move(usable).error());
    auto pattern = ParsePattern(type_);
    if (!pattern) return tl::make_unexpected(std::move(pattern).error());
    auto names = ParseNames();
    if (!names) return tl::make_unexpected(std::move(names).error());
    auto sources = OpenSnapshots({file_});
    if (!sources) return tl::make_unexpected(std::move(sources).error());
    NamedSummaries named = Named(*sources);
    presentation::FileHeapSource& source = *sources->front();
    if (no_retained_)
      return names->empty() ? PrintFromFile(console, source, named, *pattern)
                            : NamedFromFile(console, source, named, *names);
    auto opened = OpenSession(file_);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    auto code = names->empty() ? PrintMatching(console, *opened, *pattern) : PrintNamed(console, *opened, *names);
    // Where the graph cannot be built, what can be read of the objects is given.
    if (code || code.error().kind != ErrorKind::kDamaged || !names->empty()) return code;
    return PrintFromFile(console, source, named, *pattern, code.error());
  }

 private:
  static std::vector<std::pair<std::string, std::optional<Generation>>> Generations() {
    std::vector<std::pair<std::string, std::optional<Generation>>> choices;
    for (unsigned i = 0; i < snapshot::kGenerationCount; ++i) {
      const auto generation = static_cast<Generation>(i);
      choices.emplace_back(snapshot::GenerationName(generation), generation);
    }
    return choices;
  }

  Status CheckOptions() const {
    if (no_retained_ && (order_ == ObjectOrder::kRetained || unreachable_))
      return Fail(ErrorKind::kUsage, "usage.conflict", "--no-retained leaves neither --sort retained nor --unreachable",
                  "Leave one of them out.");
    if (!names_.empty() && (!type_.empty() || generation_ || unreachable_))
      return Fail(ErrorKind::kUsage, "usage.conflict",
                  "objects are named, or chosen by --type, --generation and --unreachable", "Give one of them.");
    return {};
  }

  Result<std::vector<presentation::ObjectName>> ParseNames() const {
    std::vector<presentation::ObjectName> names;
    for (const std::string& text : names_) {
      auto name = presentation::ParseObjectName(text);
      if (!name) return tl::make_unexpected(std::move(name).error());
      names.push_back(*name);
    }
    return names;
  }

  Result<int> PrintNamed(Console& console, OpenedSession& opened, const std::vector<presentation::ObjectName>& names) {
    const auto objects = Asked(console, opened, [&](session::SnapshotSession& session, analysis::Work& work) {
      return presentation::FindObjects(session, names, work);
    });
    if (!objects) return tl::make_unexpected(objects.error());
    LabelIncomplete(console, opened.named);
    WriteRows(console, opened.named, [&](presentation::RowSink& sink) {
      presentation::EmitObjects(*opened.session, *objects, sink);
      return ObjectsShown{};
    });
    return ExitCodeFor(opened.named);
  }

  Result<int> NamedFromFile(Console& console, presentation::FileHeapSource& source, NamedSummaries& named,
                            const std::vector<presentation::ObjectName>& names) {
    auto objects = presentation::FindObjects(source, names);
    if (!objects) return tl::make_unexpected(std::move(objects).error());
    LabelIncomplete(console, named);
    WriteRows(console, named, [&](presentation::RowSink& sink) {
      presentation::EmitObjects(source, *objects, sink);
      return ObjectsShown{};
    });
    return ExitCodeFor(named);
  }

  // Rows are printed only when the graph stands: its problems are known then.
  Result<int> PrintMatching(Console& console, OpenedSession& opened,
                            const std::optional<presentation::TypePattern>& pattern) {
    session::ObjectRequest request;
    request.order = order_.value_or(ObjectOrder::kRetained);
    request.limit = console.Top(top_).value_or(UINT64_MAX);
    request.generation = generation_;
    request.unreachable = unreachable_;
    if (pattern) request.types = SelectTypes(console, *opened.named.front().summary, *pattern);
    analysis::Work work;
    WorkMonitor monitor(console, work, opened.named.front().summary->totals.objects);
    if (auto dominators = opened.session->Dominators(work); !dominators) return tl::make_unexpected(dominators.error());
    if (auto problems = opened.session->GraphProblems(work)) opened.named.front().found = std::move(*problems);
    monitor.Quiet();
    LabelIncomplete(console, opened.named);
    const ObjectsShown shown = WriteRows(console, opened.named, [&](presentation::RowSink& sink) {
      return presentation::StreamObjects(*opened.session, request, sink, work);
    });
    return Finished(console, shown, ExitCodeFor(opened.named));
  }

  // `damage`: why there is no graph.
  Result<int> PrintFromFile(Console& console, presentation::FileHeapSource& source, NamedSummaries& named,
                            const std::optional<presentation::TypePattern>& pattern, std::optional<Error> damage = {}) {
    presentation::ObjectsRequest request;
    request.order =
        order_ == ObjectOrder::kAddress ? presentation::FileOrder::kAddress : presentation::FileOrder::kBytes;
    request.top = console.Top(top_);
    request.filter.generation = generation_;
    if (pattern) request.filter.types = SelectTypes(console, source.Summary(), *pattern);
    LabelIncomplete(console, named);
    const ObjectsShown shown = WriteRows(console, named, [&](presentation::RowSink& sink) {
      ObjectsShown all = presentation::StreamObjects(source, request, sink);
      if (!all.damage) all.damage = damage;
      return all;
    });
    return Finished(console, shown, ExitCodeFor(named));
  }

  // In JSON the completeness follows the rows: only then is it known.
  template <class Write>
  static ObjectsShown WriteRows(Console& console, const NamedSummaries& named, const Write& write) {
    if (console.format != OutputFormat::kJson) return write(*TextOrCsv(console));
    presentation::JsonDocument document(console.Out());
    presentation::JsonDocument::Rows rows(document, "objects");
    ObjectsShown shown = write(rows);
    presentation::Json fields = presentation::CompletenessFields(named);
    if (shown.damage) {
      fields["complete"] = false;
      fields["problems"].push_back(presentation::ProblemEntry(shown.damage->code, shown.damage->message));
    }
    document.PutAll(fields);
    document.Finish();
    return shown;
  }

  static int Finished(Console& console, const ObjectsShown& shown, int code) {
    if (console.format == OutputFormat::kText) PrintTotal(console, shown);
    if (!shown.damage) return code;
    const bool damaged = shown.damage->kind == ErrorKind::kDamaged;
    Label(console, fmt::format("{}: {}", damaged ? "DAMAGED" : "INCOMPLETE", shown.damage->message));
    return ExitCodeOf(*shown.damage);
  }

  static void PrintTotal(Console& console, const ObjectsShown& shown) {
    console.Print(fmt::format("total {}, {}\n", presentation::Counted(shown.objects, "object", "objects"),
                              presentation::FullBytes(shown.bytes)));
  }

  std::string file_, type_;
  std::vector<std::string> names_;
  std::optional<ObjectOrder> order_;
  std::optional<Generation> generation_;
  bool unreachable_ = false, no_retained_ = false;
  std::optional<uint64_t> top_;
};

}  // namespace

std::unique_ptr<Command> MakeObjectsCommand() { return std::make_unique<ObjectsCommand>(); }

}  // namespace cairn::cli
