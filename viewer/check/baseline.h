#pragma once
// Leaks that were there before, by fingerprint and with how much they were, so that only new ones and those that grew
// fail. A TOML file with one line per leak, sorted, so that a change is one line of a review.
// Thread rule: plain data and pure functions.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "viewer/check/rules.h"
#include "viewer/check/toml_document.h"

namespace cairn::check {

struct KnownSize {
  uint64_t objects = 0, retained = 0;

  bool operator==(const KnownSize&) const = default;
};

struct BaselineEntry {
  std::optional<KnownSize> size;  // none in files of version 1: whatever it is now
  std::string where;              // for people: type and path

  bool operator==(const BaselineEntry&) const = default;
};

struct Baseline {
  using Leaks = std::map<std::string, BaselineEntry>;  // by fingerprint

  // By what is counted of a path, see SectionOf.
  std::map<std::string, Leaks> sections;

  void Add(const std::string& section, const std::string& fingerprint, BaselineEntry entry);
  // The entry that a rule goes by; null where there is none.
  const BaselineEntry* Find(const Rule& rule, const std::string& fingerprint) const;
  uint64_t Count() const;
};

// Rules of one section mean the same objects of a path: all of them ("leaks"), those that were disposed ("disposed"),
// or those held by nothing but, say, events ("held_only_by_event").
std::string SectionOf(const Rule& rule);

Result<Baseline> ParseBaseline(const std::string& text, const std::string& file);
// Errors: check.no_baseline (with the remedy), check.bad_file, those of ReadSmallFile.
Result<Baseline> ReadBaseline(const std::string& path);
std::string BaselineText(const Baseline& baseline);

}  // namespace cairn::check
