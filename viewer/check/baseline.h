#pragma once
// Leaks that were there before, by fingerprint, so that only new ones fail. A TOML file with one line per leak, sorted,
// so that a change is one line of a review.
// Thread rule: plain data and pure functions.

#include <map>
#include <string>

#include "viewer/check/toml_document.h"

namespace cairn::check {

struct Baseline {
  std::map<std::string, std::string> leaks;  // fingerprint, and for people where it is
};

Result<Baseline> ParseBaseline(const std::string& text, const std::string& file);
// Errors: check.no_baseline (with the remedy), check.bad_file, those of ReadSmallFile.
Result<Baseline> ReadBaseline(const std::string& path);
std::string BaselineText(const Baseline& baseline);

}  // namespace cairn::check
