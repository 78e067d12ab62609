#include "viewer/cli/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <exception>

#include "viewer/cli/command_list.h"
#include "viewer/cli/console.h"

namespace cairn::cli {
namespace {

// Known before the options are parsed, so that an error in them is told in the right form.
bool AsksForJson(const std::vector<std::string>& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  return std::find(arguments.begin(), end, "--json") != end;
}

Result<int> RunCommand(Command& command, CommandLine& line, const std::vector<std::string>& options, Console& console) {
  command.Configure(line);
  if (auto parsed = line.Parse(options); !parsed) return tl::make_unexpected(std::move(parsed).error());
  if (line.WantsHelp()) {
    console.Print(line.Help());
    return kExitDone;
  }
  if (line.WantsCsv()) console.format = OutputFormat::kCsv;
  console.verbose = line.IsVerbose();
  return command.Run(console);
}

Result<int> RunNamed(const std::string& name, const std::vector<std::string>& options, Console& console) {
  if (auto command = FindCommand(name)) {
    CommandLine line(command->Text());
    return RunCommand(*command, line, options, console);
  }
  if (const LaterCommand* later = FindLaterCommand(name)) return tl::make_unexpected(NotAvailable(*later));
  if (name.starts_with('-'))
    return Fail(ErrorKind::kUsage, "usage.unknown_option", fmt::format("cairn has no option {} of its own", name),
                "Options follow the command: cairn COMMAND [options].");
  return tl::make_unexpected(UnknownCommand(name));
}

int Finished(Result<int> result, const std::string& command, Console& console) {
  int code = result ? *result : ExitCodeOf(result.error());
  if (!result) console.ReportError(command, result.error());
  if (auto written = console.Out().Finish(); !written) {
    console.format = OutputFormat::kText;  // the standard output is what failed
    console.ReportError(command, written.error());
    code = kExitFailed;
  }
  return code;
}

Result<int> Guarded(const std::string& name, const std::vector<std::string>& options, Console& console) try {
  return RunNamed(name, options, console);
} catch (const std::bad_alloc&) {
  return Fail(ErrorKind::kFailed, "memory.exhausted", "there is not enough memory for this",
              "Ask for less with --top or --type.");
} catch (const std::exception& error) {
  return Fail(ErrorKind::kFailed, "internal", fmt::format("unexpected: {}", error.what()),
              "This is a fault of cairn; please report it.");
}

}  // namespace

int RunProgram(const std::vector<std::string>& arguments) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that left is told by write
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file that may not grow
  Console console;
  const std::string first = arguments.empty() ? "--help" : arguments.front();
  if (first == "--help" || first == "-h" || first == "help") {
    console.Print(Overview());
    return Finished(kExitDone, "", console);
  }
  if (first == "--version") {
    console.Print("cairn " CAIRN_VERSION "\n");
    return Finished(kExitDone, "", console);
  }
  if (AsksForJson(arguments)) console.format = OutputFormat::kJson;
  const bool is_command = FindCommand(first) != nullptr || FindLaterCommand(first) != nullptr;
  return Finished(Guarded(first, {arguments.begin() + 1, arguments.end()}, console), is_command ? first : "", console);
}

}  // namespace cairn::cli
