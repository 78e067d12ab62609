#pragma once
// What cairn-desktop is started with, and where it begins.
// Thread rule: functions; StartPlaces reads the small tables of several files.

#include <span>
#include <string>
#include <vector>

#include "viewer/presentation/place.h"

namespace cairn::ui {

struct StartArguments {
  bool help = false;
  std::string at{};  // the text of a place
  std::vector<std::string> files{};
};

// Behind the program's name. Errors usage.unknown_option, usage.missing_argument.
Result<StartArguments> ParseStartArguments(std::span<const char* const> words);
const char* StartUsage();

// `at`; else an overview of each file and, where there are several, what changed from the earliest to the latest.
// Errors: those of ParsePlace.
Result<std::vector<presentation::Place>> StartPlaces(const StartArguments& arguments);

}  // namespace cairn::ui
