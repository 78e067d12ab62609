#include "viewer/cli/commands/doctor_command.h"

#include <unistd.h>

#include "collector/client/doctor.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/cli/target_options.h"
#include "viewer/presentation/render/probe_list.h"
#include "viewer/presentation/tables/probe_table.h"

namespace cairn::cli {
namespace {

presentation::ProbeTable TableOf(const std::vector<client::Probe>& probes) {
  std::vector<presentation::ProbeRow> rows;
  for (const client::Probe& probe : probes) rows.push_back({probe.name, probe.ok, probe.detail, probe.remedy});
  return presentation::ProbeTable(std::move(rows));
}

std::vector<std::string> OwnEnvironment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  return variables;
}

class DoctorCommand : public Command {
 public:
  CommandText Text() const override {
    return {"doctor", "Live processes", "why a process can or cannot be captured, link by link",
            "doctor PID [options] · cairn doctor --env -- COMMAND…",
            "  cairn doctor 4242\n"
            "      every link of the chain from socket to library; a broken one with its remedy, exit 3.\n"
            "  cairn doctor --env -- dotnet Shop.dll\n"
            "      the same for a command that would be started with the variables of this shell.\n"};
  }

  void Configure(CommandLine& line) override {
    target_.Configure(line);
    line.Rest(command_);
    line.Flag("--env", environment_, "look at start-up activation instead: a command follows --");
    line.OffersCsv();
  }

  Result<int> Run(Console& console) override {
    auto probes = environment_ ? OfEnvironment() : OfProcess();
    if (!probes) return tl::make_unexpected(std::move(probes).error());
    const presentation::ProbeTable table = TableOf(*probes);
    Print(console, table);
    return table.AllOk() ? kExitDone : kExitFailed;
  }

 private:
  Result<std::vector<client::Probe>> OfEnvironment() const {
    if (target_.IsGiven())
      return Fail(ErrorKind::kUsage, "usage.conflict", "--env looks at a command, not at a process",
                  "cairn doctor --env -- COMMAND…");
    if (command_.empty())
      return Fail(ErrorKind::kUsage, "usage.missing_argument", "doctor --env needs a command",
                  "cairn doctor --env -- COMMAND…");
    return client::DiagnoseEnvironment(OwnEnvironment(), command_);
  }

  Result<std::vector<client::Probe>> OfProcess() const {
    if (!command_.empty())
      return Fail(ErrorKind::kUsage, "usage.conflict", "a command behind -- needs --env",
                  "cairn doctor --env -- COMMAND…");
    auto target = target_.Target("doctor");
    if (!target) return tl::make_unexpected(std::move(target).error());
    // A process that is named by its id is looked at even where it is no .NET process: the probes say so.
    if (target->pid) return client::Diagnose(*target->pid);
    auto pid = client::ResolveTarget(*target);
    if (!pid) return tl::make_unexpected(std::move(pid).error());
    return client::Diagnose(*pid);
  }

  static void Print(Console& console, const presentation::ProbeTable& table) {
    if (console.format == OutputFormat::kCsv) return PrintTable(console, table, std::nullopt);
    if (console.format == OutputFormat::kText)
      return presentation::WriteProbeList(table, console.OutStyle(), console.Out());
    presentation::JsonDocument document(console.Out());
    document.Put("ok", table.AllOk());
    presentation::JsonDocument::Rows rows(document, "probes");
    presentation::Emit(table, std::nullopt, rows);
    document.Finish();
  }

  TargetOptions target_;
  std::vector<std::string> command_;
  bool environment_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeDoctorCommand() { return std::make_unique<DoctorCommand>(); }

}  // namespace cairn::cli
