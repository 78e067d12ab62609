#include "viewer/ui/start_arguments.h"

#include "viewer/presentation/capture_order.h"

namespace cairn::ui {

using presentation::Place;
using presentation::View;

Result<StartArguments> ParseStartArguments(std::span<const char* const> words) {
  StartArguments arguments;
  bool options = true;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i];
    if (!options || word.size() < 2 || !word.starts_with('-'))
      arguments.files.push_back(word);
    else if (word == "--")
      options = false;
    else if (word == "--help" || word == "-h")
      arguments.help = true;
    else if (word != "--at")
      return Fail(ErrorKind::kUsage, "usage.unknown_option", "there is no option " + word);
    else if (i + 1 == words.size())
      return Fail(ErrorKind::kUsage, "usage.missing_argument", "--at needs a PLACE");
    else
      arguments.at = words[++i];
  }
  return arguments;
}

const char* StartUsage() {
  return "usage: cairn-desktop [--at PLACE] [--] [FILE…]\n"
         "  The window of 'cairn view'. Without FILE the tabs of last time come back; where there were none, it "
         "starts\n"
         "  with the files of late and the live processes.\n"
         "  --at PLACE  where to begin: types, 'objects?type=Shop.Order', diff … ('cairn view --help' tells more)\n"
         "  --help, -h  this text\n";
}

Result<std::vector<Place>> StartPlaces(const StartArguments& arguments) {
  if (!arguments.at.empty())
    return presentation::ParsePlace(arguments.at, arguments.files).map([](Place place) {
      return std::vector{std::move(place)};
    });
  std::vector<Place> places;
  for (const std::string& file : arguments.files) places.push_back(Place::Of(View::kOverview, file));
  if (places.size() > 1)
    places.push_back({.view = View::kDiff, .files = presentation::InCaptureOrder(arguments.files)});
  return places;
}

}  // namespace cairn::ui
