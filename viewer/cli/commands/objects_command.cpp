#include "viewer/cli/commands/objects_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/objects_table.h"

namespace cairn::cli {
namespace {

using presentation::ObjectsShown;
using snapshot::Generation;

enum class Sort { kRetained, kBytes, kAddress };

class ObjectsCommand : public Command {
 public:
  CommandText Text() const override {
    return {"objects", "Read a snapshot", "single objects: the largest of a type, or those named",
            "objects FILE [OBJECT…] [--type PATTERN] [options]",
            "  cairn objects shop.cairn --type Shop.Order --generation gen2\n"
            "      the 30 largest Shop.Order that survived into generation 2.\n"
            "  cairn objects shop.cairn @12 0x7f12a0001000\n"
            "      these two; @INDEX is valid within one file.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Arguments("OBJECT", names_, 0, "@INDEX, INDEX or 0xADDRESS");
    line.Text("--type", type_, "PATTERN", "only instances of these types");
    line.Choice<Sort>("--sort", sort_,
                      {{"retained", Sort::kRetained}, {"bytes", Sort::kBytes}, {"address", Sort::kAddress}},
                      "largest first, or in address order (bytes)");
    line.Choice<std::optional<Generation>>("--generation", generation_, Generations(),
                                           "only objects of this generation");
    line.Flag("--unreachable", unreachable_, "only objects that nothing keeps alive");
    line.Count("--top", top_, 1, "N", "how many rows (text: 30; JSON and CSV: all)");
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
    if (!names->empty()) return PrintNamed(console, *sources, *names);
    return PrintMatching(console, *sources, *pattern);
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
    if (sort_ == Sort::kRetained)
      return NotYet("retained.not_available", "retained sizes", "Sort by bytes or by address meanwhile.");
    if (unreachable_)
      return NotYet("unreachable.not_available", "reachability",
                    "Capture with --gc full meanwhile: hardly any garbage is left then.");
    if (!names_.empty() && (!type_.empty() || generation_))
      return Fail(ErrorKind::kUsage, "usage.conflict", "objects are named, or chosen by --type and --generation",
                  "Give one of them.");
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

  Result<int> PrintNamed(Console& console, const Sources& sources, const std::vector<presentation::ObjectName>& names) {
    auto objects = presentation::FindObjects(*sources.front(), names);
    if (!objects) return tl::make_unexpected(std::move(objects).error());
    LabelIncomplete(console, sources);
    WriteRows(console, sources, [&](presentation::RowSink& sink) {
      presentation::EmitObjects(*sources.front(), *objects, sink);
      return ObjectsShown{};
    });
    return ExitCodeFor(sources);
  }

  Result<int> PrintMatching(Console& console, const Sources& sources,
                            const std::optional<presentation::TypePattern>& pattern) {
    presentation::ObjectsRequest request;
    request.order = sort_ == Sort::kAddress ? presentation::ObjectOrder::kAddress : presentation::ObjectOrder::kBytes;
    request.top = console.Top(top_);
    request.filter.generation = generation_;
    if (pattern) request.filter.types = Selected(console, sources, *pattern);
    LabelIncomplete(console, sources);
    const ObjectsShown shown = WriteRows(console, sources, [&](presentation::RowSink& sink) {
      return presentation::StreamObjects(*sources.front(), request, sink);
    });
    if (console.format == OutputFormat::kText) PrintTotal(console, shown);
    if (shown.damage) Label(console, fmt::format("DAMAGED: {}", shown.damage->message));
    return shown.damage ? ExitCodeOf(*shown.damage) : ExitCodeFor(sources);
  }

  std::vector<bool> Selected(Console& console, const Sources& sources, const presentation::TypePattern& pattern) const {
    std::vector<bool> selected = pattern.Select(presentation::TypeNames(sources.front()->Summary()));
    if (std::find(selected.begin(), selected.end(), true) == selected.end()) NoteNoMatch(console, pattern);
    return selected;
  }

  // In JSON the completeness follows the rows: only then is it known.
  template <class Write>
  static ObjectsShown WriteRows(Console& console, const Sources& sources, const Write& write) {
    if (console.format != OutputFormat::kJson) return write(*TextOrCsv(console));
    presentation::JsonDocument document(console.Out());
    presentation::JsonDocument::Rows rows(document, "objects");
    ObjectsShown shown = write(rows);
    presentation::Json fields = presentation::CompletenessFields(Named(sources));
    if (shown.damage) {
      fields["complete"] = false;
      fields["problems"].push_back(presentation::ProblemEntry(shown.damage->code, shown.damage->message));
    }
    document.PutAll(fields);
    document.Finish();
    return shown;
  }

  static void PrintTotal(Console& console, const ObjectsShown& shown) {
    console.Print(fmt::format("total {}, {}\n", presentation::Counted(shown.objects, "object", "objects"),
                              presentation::FullBytes(shown.bytes)));
  }

  std::string file_, type_;
  std::vector<std::string> names_;
  Sort sort_ = Sort::kBytes;
  std::optional<Generation> generation_;
  bool unreachable_ = false;
  std::optional<uint64_t> top_;
};

}  // namespace

std::unique_ptr<Command> MakeObjectsCommand() { return std::make_unique<ObjectsCommand>(); }

}  // namespace cairn::cli
