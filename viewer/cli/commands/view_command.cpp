// Opens the desktop. It is a program of its own beside this one, so that cairn loads neither X nor OpenGL and starts on
// machines that have none.

#include "viewer/cli/commands/view_command.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "collector/client/machine.h"
#include "viewer/presentation/place.h"

namespace cairn::cli {
namespace {

constexpr const char* kProgram = "cairn-desktop";

// Beside this program.
std::string DesktopPath() { return std::filesystem::path(client::ProgramPath()).parent_path() / kProgram; }

bool HasDisplay() {
  const char* display = std::getenv("DISPLAY");
  return display != nullptr && *display != '\0';
}

class ViewCommand : public Command {
 public:
  CommandText Text() const override {
    return {
        "view", "Read a snapshot", "the desktop: look around in snapshots, capture from a window",
        "view [FILE…] [--at PLACE]",
        "  cairn view before.cairn after.cairn --at diff\n"
        "      a window with what changed. Without FILE the tabs of last time come back; where there were none, it\n"
        "      starts with the files of late and the live processes.\n"
        "      PLACE is what the window copies with Ctrl-Shift-L: types, 'objects?type=Shop.Order',\n"
        "      'object?object=@12', diff …\n"};
  }

  void Configure(CommandLine& line) override {
    line.Arguments("FILE", files_, 0, "snapshots");
    line.Text("--at", at_, "PLACE", "where to begin (overview)");
  }

  Result<int> Run(Console& console) override {
    if (!at_.empty())
      if (auto place = presentation::ParsePlace(at_, files_); !place) return tl::make_unexpected(place.error());
    if (!HasDisplay())
      return Fail(ErrorKind::kFailed, "view.no_display", "there is no display for a window: DISPLAY is not set",
                  "Start it in a desktop session or with ssh -X, or use 'cairn info', 'types' and 'diff'.");
    const std::string program = DesktopPath();
    if (access(program.c_str(), X_OK) != 0)
      return Fail(ErrorKind::kFailed, "view.not_installed", "this installation of cairn has no desktop: no " + program,
                  "Install or build it (CAIRN_BUILD_DESKTOP), or use 'cairn info', 'types' and 'diff'.");
    console.Out().Flush();
    return Start(program);
  }

 private:
  // Takes the place of this program, so that signals and the exit code are the desktop's.
  Result<int> Start(const std::string& program) {
    std::vector<std::string> words = {program};
    if (!at_.empty()) words.insert(words.end(), {"--at", at_});
    words.push_back("--");  // a file may be called like an option
    words.insert(words.end(), files_.begin(), files_.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(program.c_str(), arguments.data());
    return Fail(ErrorKind::kFailed, "view.not_started", program + " could not be started: " + std::strerror(errno));
  }

  std::vector<std::string> files_;
  std::string at_;
};

}  // namespace

std::unique_ptr<Command> MakeViewCommand() { return std::make_unique<ViewCommand>(); }

}  // namespace cairn::cli
