#pragma once
// Rules, ignores and known leaks from the text of their files.
// Thread rule: pure functions.

#include <string>

#include "viewer/check/rules.h"

namespace cairn::check {

// `file` is the name in messages. Error check.bad_file with line and column.
Result<RuleSet> ParseRules(const std::string& text, const std::string& file, const Words& words);
// Of a file. Errors: those of ParseRules and ReadSmallFile; check.no_rules: it asks for nothing.
Result<RuleSet> ReadRules(const std::string& path, const Words& words);

Result<std::vector<KnownLeak>> ParseKnownLeaks(const std::string& text, const std::string& file, const Words& words);

}  // namespace cairn::check
