#include "viewer/cli/commands/object_command.h"

#include "viewer/cli/snapshot_output.h"
#include "viewer/presentation/documents/object_document.h"
#include "viewer/presentation/tables/objects_table.h"

namespace cairn::cli {
namespace {

using presentation::ObjectDocument;

enum class Part { kFields, kReferrers };

class ObjectCommand : public Command {
 public:
  CommandText Text() const override {
    return {"object", "Read a snapshot", "one object: its fields, who refers to it, what it retains",
            "object FILE OBJECT [options]",
            "  cairn object shop.cairn @12\n"
            "      its fields with their targets, the objects and roots that refer to it, its dominator, the bytes\n"
            "      that would go with it. OBJECT is @INDEX, INDEX or 0xADDRESS.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Argument("OBJECT", object_, true, "@INDEX, INDEX or 0xADDRESS");
    line.Choice<Part>("--table", part_, {{"fields", Part::kFields}, {"referrers", Part::kReferrers}},
                      "what --csv gives (fields)");
    line.Count("--top", top_, 1, "N", "how many fields and referrers (text: 30; JSON and CSV: all)");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    const auto name = presentation::ParseObjectName(object_);
    if (!name) return tl::make_unexpected(name.error());
    auto opened = OpenSession(file_);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    const uint64_t limit = console.Top(top_).value_or(UINT64_MAX);
    const auto document = Asked(console, *opened, [&](session::SnapshotSession& session, analysis::Work& work) {
      return presentation::FindObject(session, *name, work).and_then([&](analysis::ObjectIndex object) {
        return presentation::MakeObjectDocument(session, object, limit, work);
      });
    });
    if (!document) return tl::make_unexpected(document.error());
    Print(console, opened->named, *document);
    return ExitCodeFor(opened->named);
  }

 private:
  void Print(Console& console, const NamedSummaries& named, const ObjectDocument& document) const {
    if (console.format == OutputFormat::kJson) {
      presentation::JsonDocument json(console.Out());
      json.PutAll(presentation::CompletenessFields(named));
      json.PutAll(presentation::ObjectFieldsJson(document));
      return json.Finish();
    }
    LabelIncomplete(console, named);
    if (console.format == OutputFormat::kText)
      return presentation::WriteObjectText(document, console.OutStyle(), console.Out());
    if (part_ == Part::kFields)
      PrintTable(console, presentation::FieldsTable(document), std::nullopt);
    else
      PrintTable(console, presentation::ReferrersTable(document), std::nullopt);
  }

  std::string file_, object_;
  Part part_ = Part::kFields;
  std::optional<uint64_t> top_;
};

}  // namespace

std::unique_ptr<Command> MakeObjectCommand() { return std::make_unique<ObjectCommand>(); }

}  // namespace cairn::cli
