#include "viewer/cli/commands/ids_command.h"

#include <fmt/format.h>

#include "collector/client/observation_session.h"
#include "snapshot-format/stream/records.h"
#include "viewer/cli/id_output.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/target_options.h"

namespace cairn::cli {
namespace {

class IdsCommand : public Command {
 public:
  CommandText Text() const override {
    return {
        "ids", "Live processes", "what the runtime says of its own IDs", "ids PID [ID] [--kind KIND] [options]",
        "  cairn ids 4242 --kind module\n"
        "      the modules of process 4242: ID, path, MVID. Other kinds are domain, assembly, class, function (with\n"
        "      the size of its IL and where its code lies, tier by tier) and thread; several with commas.\n"
        "  cairn ids 4242 0x7f8a1c2b3d40 --json\n"
        "      that one. Only what the runtime lists is asked about: generic and dynamic methods, and what may be\n"
        "      unloaded, are left out, since a question about an ID that is gone would crash the process.\n"};
  }

  void Configure(CommandLine& line) override {
    target_.Configure(line);
    line.Argument("ID", id_, false, "one ID, 0x… or decimal");
    line.Text("--kind", kinds_, "KIND", "domain, assembly, module, class, function, thread (all)");
  }

  Result<int> Run(Console& console) override {
    auto request = Request();
    if (!request) return tl::make_unexpected(std::move(request).error());
    CatchInterrupts();
    auto session = client::ObservationSession::Start(client::Machine::This(), *request, Interrupted());
    if (!session) return tl::make_unexpected(std::move(session).error());
    const bool json = console.format == OutputFormat::kJson;
    std::vector<protocol::IdRow> rows;
    const auto result =
        (*session)->Run([&](std::span<const uint8_t> block) { return Take(block, rows); }, Interrupted());
    if (!result) return tl::make_unexpected(result.error());
    if (!result->is_complete)
      return Fail(ErrorKind::kFailed, "target.exited", "The process ended before everything was told.", "");
    if (rows.empty() && !id_.empty())
      return Fail(ErrorKind::kFailed, "ids.none", fmt::format("the runtime lists no {} among its IDs", id_),
                  "What may be unloaded, generic and dynamic methods are not listed.");
    json ? PrintJson(console, rows) : PrintText(console, rows);
    return kExitDone;
  }

 private:
  Result<client::ObservationRequest> Request() const {
    auto target = target_.Target("ids");
    if (!target) return tl::make_unexpected(std::move(target).error());
    const auto kinds = ParseIdKinds(kinds_);
    if (!kinds) return tl::make_unexpected(kinds.error());
    const Result<uint64_t> id = id_.empty() ? Result<uint64_t>(0) : ParseId(id_);
    if (!id) return tl::make_unexpected(id.error());
    client::ObservationRequest request;
    request.target = std::move(*target);
    request.kind = protocol::ObserverKind::kIds;
    stream::RecordWriter wishes;
    wishes(protocol::IdWishes{*kinds, *id});
    request.wishes = wishes.Take();
    return request;
  }

  static Status Take(std::span<const uint8_t> block, std::vector<protocol::IdRow>& rows) {
    stream::RecordReader reader(block);
    reader(rows.emplace_back());
    if (reader.Complete()) return {};
    return Fail(ErrorKind::kFailed, "stream.block", "An ID of the collector cannot be read.",
                "Use a collector library and a cairn of the same build.");
  }

  static void PrintText(Console& console, const std::vector<protocol::IdRow>& rows) {
    for (const protocol::IdRow& row : rows) console.Print(IdLine(row));
  }

  static void PrintJson(Console& console, const std::vector<protocol::IdRow>& rows) {
    presentation::JsonDocument document(console.Out());
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
