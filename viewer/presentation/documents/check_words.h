#pragma once
// Rules and their violations as sentences, the same in every report.
// Thread rule: pure functions. Names in them come from the target: every renderer makes them harmless in its own way.

#include <string>

#include "viewer/presentation/documents/check_report.h"

namespace cairn::presentation {

// "at most 10 objects of Shop.Order", "no growth of Shop.*, path by path".
std::string RuleWords(const check::Rule& rule);

// "12 objects of Shop.Order are reachable, at most 10 are allowed; held by static Shop.Cache.Instance → …".
std::string ViolationWords(const check::Rule& rule, const check::Violation& violation);

// "Shop.Order allocated at Shop.Cache.Add < … (9 of 12 sampled; 12 of 4,000 instances were sampled)"; empty where none
// of them was sampled.
std::string AllocatedWords(const CheckReport& report, const check::Violation& violation);

// "baseline", "ignored", "known".
const char* ExcuseWord(check::Excused::Kind kind);
// "3 objects of Shop.Order, static Shop.Cache.Instance → …: reason".
std::string ExcusedWords(const check::Excused& excused);

// "2 violations of 3 rules; 1 ignored, 0 known, 4 in the baseline"; of an incomplete snapshot that nothing can be said.
std::string VerdictWords(const CheckReport& report);

// "2027-01-31".
std::string DayWords(std::chrono::year_month_day day);

}  // namespace cairn::presentation
