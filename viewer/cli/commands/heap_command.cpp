#include "viewer/cli/commands/heap_command.h"

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/tables/heap_tables.h"

namespace cairn::cli {
namespace {

using presentation::GapsTable;
using presentation::HeapGenerationsTable;
using presentation::HeapRangesTable;
using presentation::RangeOrder;

class HeapCommand : public Command {
 public:
  CommandText Text() const override {
    return {
        "heap", "Read a snapshot", "how the heap lies in memory: ranges, gaps, what is pinned", "heap FILE [options]",
        "  cairn heap shop.cairn\n"
        "      how much of each generation is free and in how large pieces, how many objects are pinned there, and\n"
        "      the ranges with the most free bytes. Much free memory in small gaps between pinned objects is what\n"
        "      keeps a heap from shrinking.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Count("--top", top_, 1, "N", "how many ranges (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    auto opened = OpenSession(file_);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    const auto layout = Asked(console, *opened, [](session::SnapshotSession& session, analysis::Work& work) {
      return session::DescribeHeap(session, work);
    });
    if (!layout) return tl::make_unexpected(layout.error());
    Print(console, opened->named, *layout);
    return ExitCodeFor(opened->named);
  }

 private:
  void Print(Console& console, const NamedSummaries& named, const session::HeapLayout& layout) const {
    const snapshot::Summary& summary = *named.front().summary;
    if (console.format == OutputFormat::kJson) return PrintJson(console, named, layout);
    LabelIncomplete(console, named);
    if (console.format == OutputFormat::kCsv)
      return PrintTable(console, HeapRangesTable(summary, layout, RangeOrder::kAddress), top_);
    PrintTable(console, HeapGenerationsTable(summary, layout), std::nullopt);
    console.Print("\n");
    PrintTable(console, GapsTable(layout), std::nullopt);
    console.Print("\n");
    PrintTable(console, HeapRangesTable(summary, layout, RangeOrder::kFreeBytes), console.Top(top_));
  }

  void PrintJson(Console& console, const NamedSummaries& named, const session::HeapLayout& layout) const {
    presentation::JsonDocument document(console.Out());
    document.PutAll(presentation::CompletenessFields(named));
    presentation::JsonDocument::Rows ranges(document, "ranges"), gaps(document, "gaps");
    presentation::Emit(HeapRangesTable(*named.front().summary, layout, RangeOrder::kAddress), top_, ranges);
    presentation::Emit(GapsTable(layout), std::nullopt, gaps);
    document.Finish();
  }

  std::string file_;
  std::optional<uint64_t> top_;
};

}  // namespace

std::unique_ptr<Command> MakeHeapCommand() { return std::make_unique<HeapCommand>(); }

}  // namespace cairn::cli
