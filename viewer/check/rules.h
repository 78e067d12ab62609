#pragma once
// What a rules file asks for, as plain data. The page of its keys is README.md.
// Thread rule: immutable once read.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot-format/file/result.h"
#include "viewer/check/toml_document.h"
#include "viewer/session/held_only.h"

namespace cairn::check {

// Which types are meant; how patterns are written is not this room's business.
struct TypeSelector {
  std::string text;
  // By position in the names.
  std::function<std::vector<bool>(std::span<const std::string>)> select;
};

// How sizes and type patterns are written: the language of the command line, given by the caller.
struct Words {
  std::function<Result<uint64_t>(std::string_view)> parse_size;
  std::function<Result<TypeSelector>(const std::string&)> parse_pattern;
};

enum class RuleKind { kLimit, kNoGrowth, kHeldOnlyBy, kCollectibleContexts, kDisposed };

// The key of the rules file: "limit", "no_growth" …
const char* RuleKindName(RuleKind kind);
// "event", "timer", "static_collection".
const char* HolderName(session::HolderKind holder);

struct Rule {
  RuleKind kind{};
  std::string name;  // as given, or made of what it says
  Place place;
  std::optional<TypeSelector> types;  // none: every type
  // What is let pass; at least one is given. Of kNoGrowth they are what may be added.
  std::optional<uint64_t> max_objects, max_bytes, max_retained;
  bool by_type = false;          // kNoGrowth: by type, else by fingerprint
  session::HolderKind holder{};  // kHeldOnlyBy
  std::optional<bool> may_be_absent{};  // whether it holds where no type is of its pattern; see MayBeAbsent

  // As it says itself; else where it forbids all objects of its types, and having none of them is what it asks for.
  // Any other rule would pass for ever by a typing error.
  bool MayBeAbsent() const;
};

// Violations that do not count until a day. All that is given must fit.
struct Ignore {
  Place place;
  std::string rule;                   // name of a rule; empty: any
  std::optional<TypeSelector> types;  // of the object
  std::string fingerprint;            // empty: any
  std::string path;                   // a part of the path's text; empty: any
  std::string reason;
  std::chrono::year_month_day until;  // the last day on which it holds
};

// A leak of a library, known and not the user's: data of this program (known-leaks/*.toml).
struct KnownLeak {
  std::string library;
  std::optional<TypeSelector> types;
  std::string path;  // a part of the path's text
  std::string reason;
};

struct RuleSet {
  std::vector<Rule> rules;
  std::vector<Ignore> ignores;
  bool use_known_leaks = true;
  uint64_t baseline_tolerance = 0;  // percent that a leak of the baseline may be more than it says
};

}  // namespace cairn::check
