// The program behind `cairn view`: cairn-desktop [--at PLACE] [FILE…]. A program of its own, so that cairn itself loads
// neither X nor OpenGL and starts where there is none. `cairn view` has checked the arguments.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "viewer/cli/cache_settings.h"
#include "viewer/presentation/visible_text.h"
#include "viewer/ui/desktop/window.h"
#include "viewer/ui/settings.h"

namespace {

using cairn::presentation::Place;
using cairn::presentation::View;

struct Arguments {
  std::string at;
  std::vector<std::string> files;
};

Arguments Taken(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--at" && i + 1 < argc)
      arguments.at = argv[++i];
    else if (word != "--")
      arguments.files.push_back(word);
  }
  return arguments;
}

cairn::Result<std::vector<Place>> PlacesOf(const Arguments& arguments) {
  if (!arguments.at.empty())
    return cairn::presentation::ParsePlace(arguments.at, arguments.files).map([](Place place) {
      return std::vector{std::move(place)};
    });
  std::vector<Place> places;
  for (const std::string& file : arguments.files) places.push_back(Place::Of(View::kOverview, file));
  return places;
}

int Failed(const cairn::Error& error) {
  using cairn::presentation::VisibleText;
  std::fprintf(stderr, "cairn view: %s (%s)\n", VisibleText(error.message).c_str(), error.code.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "  %s\n", VisibleText(error.hint).c_str());
  return error.kind == cairn::ErrorKind::kUsage ? 2 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  const auto places = PlacesOf(Taken(argc, argv));
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
