// The program behind `cairn view`: cairn-desktop [--at PLACE] [FILE…]. A program of its own, so that cairn itself loads
// neither X nor OpenGL and starts where there is none. `cairn view` has checked the arguments.

#include <cstdio>
#include <cstdlib>
#include <span>

#include "viewer/cli/cache_settings.h"
#include "viewer/presentation/visible_text.h"
#include "viewer/ui/desktop/window.h"
#include "viewer/ui/settings.h"
#include "viewer/ui/start_arguments.h"

namespace {

int Failed(const cairn::Error& error) {
  using cairn::presentation::VisibleText;
  std::fprintf(stderr, "cairn view: %s (%s)\n", VisibleText(error.message).c_str(), error.code.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "  %s\n", VisibleText(error.hint).c_str());
  return error.kind == cairn::ErrorKind::kUsage ? 2 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = cairn::ui::ParseStartArguments(std::span(argv, argv + argc).subspan(argc > 0 ? 1 : 0));
  if (!arguments) {
    const int code = Failed(arguments.error());
    std::fputs(cairn::ui::StartUsage(), stderr);
    return code;
  }
  if (arguments->help) return std::fputs(cairn::ui::StartUsage(), stdout) < 0 ? 3 : 0;
  const auto places = cairn::ui::StartPlaces(*arguments);
  if (!places) return Failed(places.error());
  cairn::ui::WindowOptions options;
  options.places = *places;
  options.session.cache = cairn::cli::CacheFromEnvironment();
  options.settings_path = cairn::ui::SettingsPath();
  if (const char* report = std::getenv("CAIRN_VIEW_FRAMES")) options.frames_report = report;
  if (const char* report = std::getenv("CAIRN_VIEW_STATE")) options.state_report = report;
  if (const char* picture = std::getenv("CAIRN_VIEW_PICTURE")) options.picture = picture;
  const auto run = cairn::ui::RunWindow(options);
  return run ? 0 : Failed(run.error());
}
