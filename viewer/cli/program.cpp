#include "viewer/cli/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <system_error>

#include "viewer/cli/command_list.h"
#include "viewer/cli/console.h"

namespace cairn::cli {
namespace {

// Known before the options are parsed, so that an error in them is told in the right form.
bool AsksForJson(const std::vector<std::string>& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  return std::find(arguments.begin(), end, "--json") != end;
}

// Whatever is opened next would otherwise be taken for the standard output, and printed into. What stands in for a
// closed one can be read only, so that writing to it fails.
void KeepStandardDescriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != descriptor) return;
  }
}

// Said at once, since what fails later for want of a descriptor looks like something else.
Status CheckDescriptors() {
  constexpr int kNeeded = 32;
  std::vector<int> taken;
  while (taken.size() < kNeeded) {
    const int descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0) break;
    taken.push_back(descriptor);
  }
  const bool short_of_them = taken.size() < kNeeded && errno != EBADF;  // a closed standard error cannot be doubled
  for (const int descriptor : taken) close(descriptor);
  if (!short_of_them) return {};
  return Fail(ErrorKind::kFailed, "system.descriptors",
              fmt::format("only {} more files can be opened, and cairn needs about {}", taken.size(), kNeeded),
              "Raise the limit of open files: ulimit -n.");
}

Result<int> RunCommand(Command& command, CommandLine& line, const std::vector<std::string>& options, Console& console) {
  command.Configure(line);
  if (auto parsed = line.Parse(options); !parsed) return tl::make_unexpected(std::move(parsed).error());
  if (line.WantsHelp()) {
    console.Print(line.Help());
    return kExitDone;
  }
  CAIRN_TRY(CheckDescriptors());
  if (line.WantsCsv()) console.format = OutputFormat::kCsv;
  console.verbose = line.IsVerbose();
  return command.Run(console);
}

Result<int> RunNamed(const std::string& name, const std::vector<std::string>& options, Console& console) {
  if (auto command = FindCommand(name)) {
    CommandLine line(command->Text());
    return RunCommand(*command, line, options, console);
  }
  if (name.starts_with('-'))
    return Fail(ErrorKind::kUsage, "usage.unknown_option", fmt::format("cairn has no option {} of its own", name),
                "Options follow the command: cairn COMMAND [options].");
  return tl::make_unexpected(UnknownCommand(name));
}

// Where all a command is for is to print, what cannot be printed is a failure. What it did besides stays done, and an
// error stays what it was.
int Finished(Result<int> result, const std::string& command, Console& console) {
  const int code = result ? *result : ExitCodeOf(result.error());
  if (!result) console.ReportError(command, result.error());
  auto written = console.Out().Finish();
  if (written) return code;
  const bool error_lost = !result && console.format == OutputFormat::kJson;
  console.format = OutputFormat::kText;  // the standard output is what failed
  const bool done = !console.Done().empty();
  if (done) written.error().hint = console.Done() + "; only what was to be printed is missing.";
  console.ReportError(command, written.error());
  if (error_lost) console.ReportError(command, result.error());
  return result && !done ? kExitFailed : code;
}

Result<int> Guarded(const std::string& name, const std::vector<std::string>& options, Console& console) try {
  return RunNamed(name, options, console);
} catch (const std::bad_alloc&) {
  return Fail(ErrorKind::kFailed, "memory.exhausted", "there is not enough memory for this",
              "Free some memory, raise a limit of it (ulimit -v), or ask for less with --top or --type.");
} catch (const std::system_error& error) {
  if (error.code() != std::errc::resource_unavailable_try_again && error.code() != std::errc::not_enough_memory)
    return Fail(ErrorKind::kFailed, "system.refused", fmt::format("the system refused: {}", error.what()));
  return Fail(ErrorKind::kFailed, "system.threads", "no thread could be started: a limit of threads or of memory",
              "Raise ulimit -u or ulimit -v, or free some memory.");
} catch (const std::exception& error) {
  return Fail(ErrorKind::kFailed, "internal", fmt::format("unexpected: {}", error.what()),
              "This is a fault of cairn; please report it.");
}

}  // namespace

int RunProgram(const std::vector<std::string>& arguments) {
  KeepStandardDescriptors();
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
  const bool is_command = FindCommand(first) != nullptr;
  return Finished(Guarded(first, {arguments.begin() + 1, arguments.end()}, console), is_command ? first : "", console);
}

}  // namespace cairn::cli
