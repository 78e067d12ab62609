#include "viewer/cli/command_list.h"

#include <fmt/format.h>

#include <vector>

#include "viewer/cli/commands/allocations_command.h"
#include "viewer/cli/commands/capture_command.h"
#include "viewer/cli/commands/check_command.h"
#include "viewer/cli/commands/clean_command.h"
#include "viewer/cli/commands/contexts_command.h"
#include "viewer/cli/commands/detach_command.h"
#include "viewer/cli/commands/diff_command.h"
#include "viewer/cli/commands/doctor_command.h"
#include "viewer/cli/commands/dominators_command.h"
#include "viewer/cli/commands/export_command.h"
#include "viewer/cli/commands/grow_command.h"
#include "viewer/cli/commands/heap_command.h"
#include "viewer/cli/commands/ids_command.h"
#include "viewer/cli/commands/import_command.h"
#include "viewer/cli/commands/info_command.h"
#include "viewer/cli/commands/log_command.h"
#include "viewer/cli/commands/object_command.h"
#include "viewer/cli/commands/objects_command.h"
#include "viewer/cli/commands/path_command.h"
#include "viewer/cli/commands/ps_command.h"
#include "viewer/cli/commands/query_command.h"
#include "viewer/cli/commands/roots_command.h"
#include "viewer/cli/commands/run_command.h"
#include "viewer/cli/commands/suspects_command.h"
#include "viewer/cli/commands/trace_command.h"
#include "viewer/cli/commands/types_command.h"
#include "viewer/cli/commands/view_command.h"
#include "viewer/cli/commands/waste_command.h"
#include "viewer/cli/commands/watch_command.h"
#include "viewer/presentation/nearest_word.h"

namespace cairn::cli {
namespace {

constexpr CommandMaker kCommands[] = {
    MakePsCommand,          MakeDoctorCommand, MakeCaptureCommand,    MakeWatchCommand,   MakeRunCommand,
    MakeAllocationsCommand, MakeLogCommand,    MakeTraceCommand,      MakeIdsCommand,     MakeDetachCommand,
    MakeCleanCommand,       MakeInfoCommand,   MakeTypesCommand,      MakeObjectsCommand, MakeObjectCommand,
    MakePathCommand,        MakeRootsCommand,  MakeDominatorsCommand, MakeHeapCommand,    MakeContextsCommand,
    MakeWasteCommand,       MakeQueryCommand,  MakeViewCommand,       MakeDiffCommand,    MakeSuspectsCommand,
    MakeCheckCommand,       MakeGrowCommand,   MakeExportCommand,     MakeImportCommand};

}  // namespace

std::span<const CommandMaker> Commands() { return kCommands; }

std::unique_ptr<Command> FindCommand(const std::string& name) {
  for (const CommandMaker make : kCommands) {
    auto command = make();
    if (command->Text().name == name) return command;
  }
  return nullptr;
}

std::string Overview() {
  std::string text =
      "cairn finds out what fills the heap of a .NET process, and what grew.\n"
      "\nUsage: cairn COMMAND [options]; cairn COMMAND --help shows an example\n";
  std::string group;
  for (const CommandMaker make : kCommands) {
    const CommandText command = make()->Text();
    if (command.group != group) text += fmt::format("\n{}\n", command.group);
    group = command.group;
    text += fmt::format("  {:12}{}\n", command.name, command.summary);
  }
  return text +
         "\nExit codes: 0 done, 1 a check failed, 2 wrong usage, 3 could not be done, 4 incomplete or damaged "
         "snapshot\n";
}

Error UnknownCommand(const std::string& name) {
  std::vector<std::string> known;
  for (const CommandMaker make : kCommands) known.push_back(make()->Text().name);
  const auto nearest = presentation::NearestWord(name, known);
  return {ErrorKind::kUsage, "command.unknown", fmt::format("there is no command '{}'", name),
          nearest ? fmt::format("Did you mean {}? cairn --help lists the commands.", *nearest)
                  : "cairn --help lists the commands."};
}

}  // namespace cairn::cli
