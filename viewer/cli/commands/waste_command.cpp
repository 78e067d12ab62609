#include "viewer/cli/commands/waste_command.h"

#include <fmt/format.h>

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/documents/imported.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/waste_tables.h"

namespace cairn::cli {
namespace {

using presentation::CollectionsTable;
using presentation::DuplicatesTable;
using presentation::TypeTotalsTable;
using session::WasteAnswer;

// Of how many duplicates JSON and CSV tell the holders, where no --top says.
constexpr uint64_t kHolders = 1000;

enum class Part { kDuplicates, kCollections, kBoxed, kDisposed };

class WasteCommand : public Command {
 public:
  CommandText Text() const override {
    return {
        "waste", "Read a snapshot", "equal strings and arrays, half-empty collections, boxed values, disposed objects",
        "waste FILE [options]",
        "  cairn waste shop.cairn\n"
        "      what is in memory more than once and who holds the copies; collections with more room than elements,\n"
        "      arrays of nulls; boxed values; what was disposed and is held all the same. Of reachable objects.\n"
        "      Texts are shown where they were captured with cairn capture PID --strings all\n"
        "      Wasted: all copies but one, whoever holds them. Held by: what holds the first copies, most of them "
        "first.\n"
        "      What holds one of them: cairn path shop.cairn @12\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Count("--top,--limit", top_, 1, "N", "how many rows of each table (text: 30; JSON and CSV: all)");
    line.Choice<Part>("--table", part_,
                      {{"duplicates", Part::kDuplicates},
                       {"collections", Part::kCollections},
                       {"boxed", Part::kBoxed},
                       {"disposed", Part::kDisposed}},
                      "which table --csv prints (duplicates)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    auto opened = OpenSession(file_);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    const auto answer = Asked(console, *opened, [&](session::SnapshotSession& session, analysis::Work& work) {
      return session::FindWaste(session, console.Top(top_).value_or(kHolders), work);
    });
    if (!answer) return tl::make_unexpected(answer.error());
    const snapshot::Summary& summary = *opened->named.front().summary;
    if (console.format == OutputFormat::kJson) {
      PrintJson(console, opened->named, *answer);
    } else {
      LabelIncomplete(console, opened->named);
      NoteMissing(console, summary, *answer);
      if (console.format == OutputFormat::kCsv)
        PrintCsv(console, summary, *answer);
      else
        PrintText(console, summary, *answer);
    }
    return ExitCodeFor(opened->named);
  }

 private:
  static void NoteMissing(Console& console, const snapshot::Summary& summary, const WasteAnswer& answer) {
    if (presentation::IsImported(summary))
      return console.Note(
          "the snapshot was made from another tool's file, which holds no contents: nothing is known of "
          "what is wasted");
    const std::string capture = fmt::format("cairn capture {}", summary.process.pid);
    if (!answer.waste.has_hashes)
      console.Note(fmt::format("equal strings and arrays are not known: capture with {} --strings hash", capture));
    else if (summary.capture.strings != "all")
      console.Note(fmt::format("texts were not captured; this does: {} --strings all", capture));
    if (!answer.waste.has_counts)
      console.Note("counts of lists and dictionaries were not captured: only what the references tell is known");
  }

  void PrintCsv(Console& console, const snapshot::Summary& summary, const WasteAnswer& answer) const {
    switch (part_) {
      case Part::kDuplicates:
        return PrintTable(console, DuplicatesTable(summary, answer), top_);
      case Part::kCollections:
        return PrintTable(console, CollectionsTable(summary, answer), top_);
      case Part::kBoxed:
        return PrintTable(console, TypeTotalsTable(summary, answer.waste.boxed), top_);
      case Part::kDisposed:
        return PrintTable(console, TypeTotalsTable(summary, answer.waste.disposed), top_);
    }
  }

  void PrintText(Console& console, const snapshot::Summary& summary, const WasteAnswer& answer) const {
    if (answer.waste.has_hashes)
      PrintPart(console, "Equal contents", InCopies(answer), Sum(answer.waste.duplicates, &Wasted),
                DuplicatesTable(summary, answer));
    else
      console.Print(console.OutStyle().Bold("Equal contents") + ": not known\n");
    if (presentation::IsImported(summary)) return PrintNotKnown(console);
    console.Print("\n");
    PrintPart(console, "Collections and sparse arrays", "bytes not used", Sum(answer.waste.collections, &NotUsed),
              CollectionsTable(summary, answer));
    console.Print("\n");
    PrintPart(console, "Boxed values", "bytes", Sum(answer.waste.boxed, &Bytes),
              TypeTotalsTable(summary, answer.waste.boxed));
    console.Print("\n");
    PrintPart(console, "Disposed and still held", "bytes", Sum(answer.waste.disposed, &Bytes),
              TypeTotalsTable(summary, answer.waste.disposed));
  }

  static void PrintNotKnown(Console& console) {
    for (const char* title : {"Collections and sparse arrays", "Boxed values", "Disposed and still held"})
      console.Print("\n" + console.OutStyle().Bold(title) + ": not known\n");
  }

  static std::string InCopies(const WasteAnswer& answer) {
    return fmt::format("bytes in copies ({} of strings, {} of arrays)",
                       presentation::GroupedCount(Sum(answer.waste.duplicates, &WastedByString)),
                       presentation::GroupedCount(Sum(answer.waste.duplicates, &WastedByArray)));
  }

  void PrintPart(Console& console, const char* title, const std::string& what, uint64_t sum,
                 const presentation::Table& table) const {
    console.Print(console.OutStyle().Bold(title) + fmt::format(": {} {}\n", presentation::GroupedCount(sum), what));
    PrintTable(console, table, console.Top(top_));
  }

  static uint64_t Wasted(const analysis::dotnet::Duplicate& row) { return row.Wasted(); }
  static uint64_t WastedByString(const analysis::dotnet::Duplicate& row) { return row.is_string ? row.Wasted() : 0; }
  static uint64_t WastedByArray(const analysis::dotnet::Duplicate& row) { return row.is_string ? 0 : row.Wasted(); }
  static uint64_t NotUsed(const analysis::dotnet::CollectionWaste& row) { return row.wasted; }
  static uint64_t Bytes(const analysis::dotnet::TypeTotals& row) { return row.totals.bytes; }

  template <class Row>
  static uint64_t Sum(const std::vector<Row>& rows, uint64_t (*figure)(const Row&)) {
    uint64_t sum = 0;
    for (const Row& row : rows) sum += figure(row);
    return sum;
  }

  void PrintJson(Console& console, const NamedSummaries& named, const WasteAnswer& answer) const {
    const snapshot::Summary& summary = *named.front().summary;
    presentation::JsonDocument document(console.Out());
    document.PutAll(presentation::CompletenessFields(named));
    document.PutAll({{"strings", summary.capture.strings}, {"counts", answer.waste.has_counts}});
    document.Put("bytes_in_copies", BytesInCopies(answer));
    if (answer.waste.has_hashes)
      PutDuplicates(document, DuplicatesTable(summary, answer));
    else
      document.Put("duplicates", nullptr);
    if (presentation::IsImported(summary)) {
      document.PutAll({{"collections", nullptr}, {"boxed", nullptr}, {"disposed", nullptr}});
      return document.Finish();
    }
    presentation::JsonDocument::Rows collections(document, "collections"), boxed(document, "boxed"),
        disposed(document, "disposed");
    presentation::Emit(CollectionsTable(summary, answer), top_, collections);
    presentation::Emit(TypeTotalsTable(summary, answer.waste.boxed), top_, boxed);
    presentation::Emit(TypeTotalsTable(summary, answer.waste.disposed), top_, disposed);
    document.Finish();
  }

  static presentation::Json BytesInCopies(const WasteAnswer& answer) {
    if (!answer.waste.has_hashes) return nullptr;
    return {{"strings", Sum(answer.waste.duplicates, &WastedByString)},
            {"arrays", Sum(answer.waste.duplicates, &WastedByArray)}};
  }

  void PutDuplicates(presentation::JsonDocument& document, const DuplicatesTable& duplicates) const {
    presentation::JsonDocument::Elements elements(document, "duplicates");
    for (uint64_t row = 0; row < std::min(duplicates.RowCount(), top_.value_or(UINT64_MAX)); ++row)
      if (!elements.Add(duplicates.Fields(row))) break;
    elements.Finish();
  }

  std::string file_;
  std::optional<uint64_t> top_;
  Part part_ = Part::kDuplicates;
};

}  // namespace

std::unique_ptr<Command> MakeWasteCommand() { return std::make_unique<WasteCommand>(); }

}  // namespace cairn::cli
