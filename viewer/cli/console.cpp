#include "viewer/cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "viewer/presentation/documents/problems.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {
namespace {

constexpr uint64_t kDefaultTop = 30;

size_t TerminalWidth(int fd) {
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// no-color.org: any text in NO_COLOR turns colour off.
bool WantsColour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (no_colour == nullptr || *no_colour == 0) && terminal != nullptr && std::string_view(terminal) != "dumb";
}

presentation::TextStyle StyleOf(int fd) {
  if (!isatty(fd)) return {};
  return {WantsColour(), TerminalWidth(fd)};
}

}  // namespace

Console::Console()
    : out_(STDOUT_FILENO),
      out_style_(StyleOf(STDOUT_FILENO)),
      error_style_(StyleOf(STDERR_FILENO)),
      error_is_terminal_(isatty(STDERR_FILENO)) {}

void Console::Note(std::string_view line) { NoteRaw(std::string(line) + "\n"); }

void Console::NoteRaw(std::string_view text) {
  FdSink error(STDERR_FILENO);
  error.Write(text);
  (void)error.Finish();  // nowhere is left to say it
}

void Console::ReportError(const std::string& command, const Error& error) {
  if (format == OutputFormat::kJson) return Print(presentation::JsonText(presentation::ErrorDocument(error)) + "\n");
  const std::string program = command.empty() ? "cairn" : "cairn " + command;
  Note(error_style_.Bad(presentation::VisibleText(program) + ":") + " " + presentation::VisibleText(error.message));
  if (!error.hint.empty()) Note("  " + presentation::VisibleText(error.hint));
}

std::optional<uint64_t> Console::Top(std::optional<uint64_t> asked) const {
  return asked || format != OutputFormat::kText ? asked : kDefaultTop;
}

}  // namespace cairn::cli
