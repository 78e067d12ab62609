#include "viewer/presentation/documents/check_words.h"

#include <fmt/format.h>

#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/quantity.h"

namespace cairn::presentation {
namespace {

using check::Excess;
using check::Measure;
using check::Rule;
using check::RuleKind;
using check::Violation;

std::string Figure(Measure measure, uint64_t value) {
  switch (measure) {
    case Measure::kObjects:
      return value == 0 ? "no object" : Counted(value, "object", "objects");
    case Measure::kBytes:
      return HumanBytes(value);
    case Measure::kRetained:
      return HumanBytes(value) + " retained";
  }
  return {};
}

std::string Allowance(const Rule& rule) {
  std::string text;
  const auto add = [&](Measure measure, const std::optional<uint64_t>& most) {
    if (most) text += (text.empty() ? "" : ", ") + Figure(measure, *most);
  };
  add(Measure::kObjects, rule.max_objects);
  add(Measure::kBytes, rule.max_bytes);
  add(Measure::kRetained, rule.max_retained);
  return text.starts_with("no object") ? text : "at most " + text;
}

std::string Of(const Rule& rule) { return rule.types ? rule.types->text : "every type"; }

const char* HoldersOf(const Rule& rule) {
  switch (rule.holder) {
    case session::HolderKind::kEvent:
      return "event handlers";
    case session::HolderKind::kTimer:
      return "timers";
    case session::HolderKind::kStaticCollection:
      return "static collections";
  }
  return "";
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// What is the matter, and from what figure to what.
std::string Finding(const Rule& rule, const Violation& violation, const Excess& excess) {
  const std::string figure = Figure(excess.measure, excess.value);
  switch (rule.kind) {
    case RuleKind::kNoGrowth: {
      const session::GroupSize before = violation.before.value_or(session::GroupSize{});
      const bool objects = excess.measure == Measure::kObjects, bytes = excess.measure == Measure::kBytes;
      const uint64_t from = objects ? before.objects : bytes ? before.bytes : before.retained;
      const auto words = objects ? GroupedCount : HumanBytes;
      return fmt::format("{} more of {} (from {} to {})", figure, violation.type, words(from),
                         words(from + excess.value));
    }
    case RuleKind::kHeldOnlyBy:
      return fmt::format("{} of {} held by nothing but {}", figure, violation.type, HoldersOf(rule));
    case RuleKind::kCollectibleContexts:
      if (violation.assemblies.empty()) return fmt::format("{}: load contexts that are still in memory", figure);
      return fmt::format("{}: load contexts that are still in memory, one of {}", figure, Listed(violation.assemblies));
    case RuleKind::kDisposed:
      return fmt::format("{} of {} disposed but reachable", figure, violation.type);
    case RuleKind::kLimit:
      break;
  }
  return fmt::format("{} of {} reachable", figure, violation.type);
}

std::string AllowedFigure(const Excess& excess) {
  if (excess.allowed == 0) return "none";
  return excess.measure == Measure::kObjects ? GroupedCount(excess.allowed) : HumanBytes(excess.allowed);
}

// "; with it 1,000 more of Shop.Name, 20 more of Shop.Line and 3 more types".
std::string CarriedWords(const Rule& rule, const Violation& violation) {
  constexpr size_t kTypesNamed = 5;
  const char* const more = rule.kind == RuleKind::kNoGrowth ? " more" : "";
  std::string text;
  for (size_t i = 0; i < violation.carried.size() && i < kTypesNamed; ++i)
    text += fmt::format("{}{}{} of {}", i == 0 ? "; with it " : ", ", GroupedCount(violation.carried[i].size.objects),
                        more, violation.carried[i].type);
  if (violation.carried.size() > kTypesNamed)
    text += fmt::format(" and {}", Counted(violation.carried.size() - kTypesNamed, "more type", "more types"));
  return text;
}

}  // namespace

std::string DayWords(std::chrono::year_month_day day) {
  return fmt::format("{:04}-{:02}-{:02}", int(day.year()), unsigned(day.month()), unsigned(day.day()));
}

std::string RuleWords(const Rule& rule) {
  switch (rule.kind) {
    case RuleKind::kLimit:
      return fmt::format("{} of {}", Allowance(rule), Of(rule));
    case RuleKind::kNoGrowth:
      return fmt::format("{} more of {}, {}", Allowance(rule), Of(rule), rule.by_type ? "by type" : "by path");
    case RuleKind::kHeldOnlyBy:
      return fmt::format("{} of {} held by nothing but {}, by path", Allowance(rule), Of(rule), HoldersOf(rule));
    case RuleKind::kCollectibleContexts:
      return fmt::format("{}: load contexts that can be unloaded", Allowance(rule));
    case RuleKind::kDisposed:
      return fmt::format("{} of {} disposed but reachable, by path", Allowance(rule), Of(rule));
  }
  return {};
}

std::string ViolationWords(const Rule& rule, const Violation& violation) {
  std::string text;
  for (const Excess& excess : violation.excesses)
    text += fmt::format("{}{}, {}{} allowed", text.empty() ? "" : "; ", Finding(rule, violation, excess),
                        excess.allowed == 0 ? "" : "at most ", AllowedFigure(excess));
  text += "; path: " + violation.path;
  if (violation.covered.size() > 1)
    text += fmt::format(" (and {})", Counted(violation.covered.size() - 1, "other path", "other paths"));
  text += CarriedWords(rule, violation);
  if (violation.outgrown)
    text += fmt::format("; more than in the baseline: {}, {} retained",
                        Counted(violation.outgrown->objects, "object", "objects"),
                        HumanBytes(violation.outgrown->retained));
  if (violation.expired)
    text += fmt::format("; the ignore at {} ({}) ended on {}", violation.expired->place.Text(),
                        violation.expired->reason, DayWords(violation.expired->until));
  return text;
}

std::string AllocatedWords(const CheckReport& report, const Violation& violation) {
  const auto at = report.allocated.find(violation.example.value);
  if (at == report.allocated.end()) return {};
  const std::string words = AllocationSitesWords(*report.summary, at->second.sites);
  if (words.empty()) return {};
  return fmt::format("{} allocated at {}", TypeName(report.summary->types.at(at->second.type.value)), words);
}

const char* ExcuseWord(check::Excused::Kind kind) {
  constexpr const char* kWords[] = {"baseline", "ignored", "known"};
  return kWords[static_cast<size_t>(kind)];
}

std::string ExcusedWords(const check::Excused& excused) {
  return fmt::format("{} of {}, {}: {}", Counted(excused.objects, "object", "objects"), excused.type, excused.path,
                     excused.reason);
}

std::string VerdictWords(const CheckReport& report) {
  if (!report.complete) return "nothing can be said: a snapshot is incomplete";
  using Kind = check::Excused::Kind;
  const size_t unjudged = report.verdict.unjudged.size();
  const std::string doubt =
      unjudged == 0 ? "" : fmt::format("; nothing can be said of {}", Counted(unjudged, "rule", "rules"));
  return fmt::format("{} of {}; {} ignored, {} known, {} in the baseline{}",
                     Counted(report.verdict.violations.size(), "violation", "violations"),
                     Counted(report.rules->rules.size(), "rule", "rules"), report.verdict.Count(Kind::kIgnored),
                     report.verdict.Count(Kind::kKnown), report.verdict.Count(Kind::kBaseline), doubt);
}

}  // namespace cairn::presentation
