#include "viewer/cli/commands/ids_command.h"

#include <fmt/format.h>

#include "collector/client/observation_session.h"
#include "snapshot-format/stream/records.h"
#include "viewer/cli/id_output.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/snapshot_ids.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/cli/target_options.h"

namespace cairn::cli {
namespace {

class IdsCommand : public Command {
 public:
  CommandText Text() const override {
    return {
        "ids", "Live processes", "what the runtime, or a snapshot, says of the runtime's own IDs",
        "ids PID|FILE [ID] [--kind KIND] [options]",
        "  cairn ids 4242 --kind module\n"
        "      the modules of process 4242: ID, path, MVID. Other kinds are domain, assembly, class, function (with\n"
        "      the size of its IL and where its code lies, tier by tier) and thread; several with commas.\n"
        "  cairn ids 4242 0x7f8a1c2b3d40 --json\n"
        "      that one, a class with where its fields lie. Only what the runtime lists is asked about: generic and\n"
        "      dynamic methods, and what may be unloaded, are left out, since a question about an ID that is gone\n"
        "      would crash the process.\n"
        "  cairn ids shop.cairn 0x7f8a1c2b3d40\n"
        "      what a snapshot holds of it: a class by its method table, with where each field lies, or a method that\n"
        "      a delegate points to. Without an ID also modules, threads and methods of allocation stacks.\n"};
  }

  void Configure(CommandLine& line) override {
    target_.Configure(line, "PID|FILE");
    line.Argument("ID", id_, false, "one ID, 0x… or decimal");
    line.Text("--kind", kinds_, "KIND", "domain, assembly, module, class, function, thread (all)");
  }

  Result<int> Run(Console& console) override {
    const auto wishes = Wishes();
    if (!wishes) return tl::make_unexpected(wishes.error());
    return target_.File().empty() ? AskProcess(console, *wishes) : ReadSnapshot(console, *wishes);
  }

 private:
  Result<protocol::IdWishes> Wishes() const {
    const auto kinds = ParseIdKinds(kinds_);
    if (!kinds) return tl::make_unexpected(kinds.error());
    const Result<uint64_t> id = id_.empty() ? Result<uint64_t>(0) : ParseId(id_);
    if (!id) return tl::make_unexpected(id.error());
    return protocol::IdWishes{*kinds, *id};
  }

  Result<int> ReadSnapshot(Console& console, const protocol::IdWishes& wishes) const {
    auto sources = OpenSnapshots({target_.File()});
    if (!sources) return tl::make_unexpected(std::move(sources).error());
    const NamedSummaries named = Named(*sources);
    const auto rows = SnapshotIds(sources->front()->Reader(), wishes);
    if (!rows) return tl::make_unexpected(rows.error());
    if (rows->empty() && (!id_.empty() || !kinds_.empty()))
      return Fail(
          ErrorKind::kFailed, "ids.none",
          fmt::format("the snapshot holds {}", id_.empty() ? "no ID of " + kinds_ : "no ID " + id_),
          "It knows classes by their method tables and methods of delegates by where their code begins; modules "
          "and threads by their names.");
    LabelIncomplete(console, named);
    Print(console, *rows, presentation::CompletenessFields(named));
    return ExitCodeFor(named);
  }

  Result<int> AskProcess(Console& console, const protocol::IdWishes& wishes) const {
    auto request = Request(wishes);
    if (!request) return tl::make_unexpected(std::move(request).error());
    CatchInterrupts();
    auto session = client::ObservationSession::Start(client::Machine::This(), *request, Interrupted());
    if (!session) return tl::make_unexpected(std::move(session).error());
    std::vector<protocol::IdRow> rows;
    const auto result =
        (*session)->Run([&](std::span<const uint8_t> block) { return Take(block, rows); }, Interrupted());
    if (!result) return tl::make_unexpected(result.error());
    if (!result->is_complete) return tl::make_unexpected(client::ErrorOfCut(*result));
    if (rows.empty() && !id_.empty())
      return Fail(ErrorKind::kFailed, "ids.none", fmt::format("the runtime lists no {} among its IDs", id_),
                  "What may be unloaded, generic and dynamic methods are not listed.");
    Print(console, rows, presentation::Json::object());
    return kExitDone;
  }

  Result<client::ObservationRequest> Request(const protocol::IdWishes& wishes) const {
    auto target = target_.Target("ids");
    if (!target) return tl::make_unexpected(std::move(target).error());
    client::ObservationRequest request;
    request.target = std::move(*target);
    request.kind = protocol::ObserverKind::kIds;
    stream::RecordWriter writer;
    writer(wishes);
    request.wishes = writer.Take();
    return request;
  }

  static Status Take(std::span<const uint8_t> block, std::vector<protocol::IdRow>& rows) {
    stream::RecordReader reader(block);
    reader(rows.emplace_back());
    if (reader.Complete()) return {};
    return Fail(ErrorKind::kFailed, "stream.block", "An ID of the collector cannot be read.",
                "Use a collector library and a cairn of the same build.");
  }

  // `about`: what a document says besides.
  static void Print(Console& console, const std::vector<protocol::IdRow>& rows, const presentation::Json& about) {
    if (console.format != OutputFormat::kJson) {
      for (const protocol::IdRow& row : rows) console.Print(IdLine(row));
      return;
    }
    presentation::JsonDocument document(console.Out());
    document.PutAll(about);
    presentation::JsonDocument::Elements ids(document, "ids");
    for (const protocol::IdRow& row : rows)
      if (!ids.Add(IdJson(row))) break;
    ids.Finish();
    document.Finish();
  }

  TargetOptions target_;
  std::string id_, kinds_;
};

}  // namespace

std::unique_ptr<Command> MakeIdsCommand() { return std::make_unique<IdsCommand>(); }

}  // namespace cairn::cli
