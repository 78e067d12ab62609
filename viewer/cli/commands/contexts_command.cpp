#include "viewer/cli/commands/contexts_command.h"

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/documents/contexts_document.h"

namespace cairn::cli {
namespace {

constexpr uint64_t kHolders = 3;

using Contexts = std::vector<session::LoadContext>;

class ContextsCommand : public Command {
 public:
  CommandText Text() const override {
    return {"contexts", "Read a snapshot", "collectible load contexts, and who keeps them from being unloaded",
            "contexts FILE [options]",
            "  cairn contexts shop.cairn\n"
            "      each LoaderAllocator and AssemblyLoadContext in memory: its assemblies, the objects of their types, "
            "and\n"
            "      the paths that hold it. '(loader allocator)' in a path is the step from an object to the context of "
            "its\n"
            "      type. The default context is left out.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Count("--holders", holders_, 1, "N", "how many paths to each (3)");
    line.Count("--top", top_, 1, "N", "how many contexts (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    auto opened = OpenSession(file_);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    auto contexts = Asked(console, *opened, [&](session::SnapshotSession& session, analysis::Work& work) {
      return session::FindLoadContexts(session, holders_.value_or(kHolders), work);
    });
    if (!contexts) return tl::make_unexpected(std::move(contexts).error());
    Print(console, opened->named, std::move(*contexts));
    return ExitCodeFor(opened->named);
  }

 private:
  void Print(Console& console, const NamedSummaries& named, Contexts contexts) const {
    const snapshot::Summary& summary = *named.front().summary;
    const size_t all = contexts.size();
    if (const auto top = console.Top(top_); top && contexts.size() > *top) contexts.resize(*top);
    if (console.format == OutputFormat::kJson) return PrintJson(console, named, contexts);
    LabelIncomplete(console, named);
    if (contexts.empty()) console.Note("no load context that could be unloaded is in memory");
    if (console.format == OutputFormat::kCsv)
      return PrintTable(console, presentation::ContextsTable(summary, contexts), std::nullopt);
    presentation::WriteContextsText(summary, contexts, console.OutStyle(), console.Out());
    if (contexts.size() < all) console.Print("… " + std::to_string(all - contexts.size()) + " more\n");
  }

  static void PrintJson(Console& console, const NamedSummaries& named, const Contexts& contexts) {
    presentation::JsonDocument document(console.Out());
    document.PutAll(presentation::CompletenessFields(named));
    presentation::JsonDocument::Elements elements(document, "contexts");
    for (const session::LoadContext& context : contexts)
      if (!elements.Add(presentation::ContextFields(*named.front().summary, context))) break;
    elements.Finish();
    document.Finish();
  }

  std::string file_;
  std::optional<uint64_t> holders_, top_;
};

}  // namespace

std::unique_ptr<Command> MakeContextsCommand() { return std::make_unique<ContextsCommand>(); }

}  // namespace cairn::cli
