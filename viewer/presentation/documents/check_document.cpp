#include "viewer/presentation/documents/check_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "viewer/presentation/documents/check_words.h"
#include "viewer/presentation/documents/path_document.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

using check::Excused;
using check::Violation;

size_t ShownOf(size_t rows, std::optional<uint64_t> top) {
  return top ? static_cast<size_t>(std::min<uint64_t>(rows, *top)) : rows;
}

// All types, where the message names the first.
Json CarriedFields(const Violation& violation) {
  Json list = Json::array();
  for (const check::CarriedType& one : violation.carried)
    list.push_back({{"type", one.type}, {"objects", one.size.objects}, {"bytes", one.size.bytes}});
  return list;
}

Json ViolationFields(const CheckReport& report, const Violation& violation) {
  const check::Rule& rule = report.rules->rules[violation.rule];
  Json fields = {{"rule", rule.name},
                 {"type", violation.type},
                 {"fingerprint", violation.fingerprint},
                 {"objects", violation.now.objects},
                 {"bytes", violation.now.bytes},
                 {"retained", violation.now.retained},
                 {"path", violation.path},
                 {"message", ViolationWords(rule, violation)}};
  if (!violation.carried.empty()) fields["with_it"] = CarriedFields(violation);
  fields["objects_before"] = violation.before ? Json(violation.before->objects) : Json();
  fields["example"] = violation.example.Valid() ? Json(violation.example.value) : Json();
  if (const auto at = report.allocated.find(violation.example.value); at != report.allocated.end())
    fields["allocated"] = AllocationSitesJson(*report.summary, at->second.sites);
  return fields;
}

Json UnjudgedFields(const CheckReport& report) {
  Json fields = Json::array();
  for (const check::Unjudged& each : report.verdict.unjudged)
    fields.push_back({{"rule", report.rules->rules[each.rule].name}, {"message", each.why}});
  return fields;
}

void WriteViolation(const CheckReport& report, const Violation& violation, TextStyle style, ByteSink& sink) {
  const check::Rule& rule = report.rules->rules[violation.rule];
  sink.Write("\n" + style.Bad("LEAK") + " " + style.Bold(VisibleText(rule.name)) + "\n");
  sink.Write("  " + VisibleText(ViolationWords(rule, violation)) + "\n");
  sink.Write(style.Faint("  fingerprint " + VisibleText(violation.fingerprint)) + "\n");
  if (const std::string words = AllocatedWords(report, violation); !words.empty())
    sink.Write("  " + VisibleText(words) + "\n");
  if (!violation.holder) return;
  session::RootPaths paths;
  paths.paths.push_back(*violation.holder);
  paths.paths.back().count = 1;
  paths.total = 1;
  WritePathsText(*report.summary, paths, style, sink);
}

void WriteRules(const CheckReport& report, TextStyle style, ByteSink& sink) {
  for (size_t i = 0; i < report.rules->rules.size(); ++i) {
    const uint64_t violations = report.Violations(i);
    const std::string mark = !report.WhyUnjudged(i).empty() ? style.Faint("?   ")
                             : violations == 0              ? style.Good("ok  ")
                                                            : style.Bad("LEAK");
    const check::Rule& rule = report.rules->rules[i];
    const auto& excused = report.verdict.excused;
    const bool any_excused =
        std::any_of(excused.begin(), excused.end(), [i](const Excused& each) { return each.IsOf(i); });
    const std::string but = any_excused ? style.Faint("  (but for what is excused below)") : "";
    sink.Write(mark + " " + VisibleText(rule.name + ": " + RuleWords(rule)) + but + "\n");
  }
}

void WriteExcused(const CheckReport& report, std::optional<uint64_t> top, TextStyle style, ByteSink& sink) {
  const auto& excused = report.verdict.excused;
  if (!excused.empty()) sink.Write("\n");
  for (size_t i = 0; i < ShownOf(excused.size(), top); ++i)
    sink.Write(style.Faint(std::string(ExcuseWord(excused[i].kind)) + ": " + VisibleText(ExcusedWords(excused[i]))) +
               "\n");
  if (const size_t left_out = excused.size() - ShownOf(excused.size(), top); left_out > 0)
    sink.Write(style.Faint("… " + Counted(left_out, "more", "more")) + "\n");
}

}  // namespace

Json CheckFields(const CheckReport& report, std::optional<uint64_t> top) {
  Json violations = Json::array();
  const auto& all = report.verdict.violations;
  for (size_t i = 0; i < ShownOf(all.size(), top); ++i) violations.push_back(ViolationFields(report, all[i]));
  return {{"ok", report.IsOk()},
          {"violations", std::move(violations)},
          {"unjudged", UnjudgedFields(report)},
          {"ignored", report.verdict.Count(Excused::Kind::kIgnored)},
          {"known", report.verdict.Count(Excused::Kind::kKnown)},
          {"baseline", report.verdict.Count(Excused::Kind::kBaseline)},
          {"warnings", report.verdict.warnings}};
}

void WriteCheckText(const CheckReport& report, std::optional<uint64_t> top, TextStyle style, ByteSink& sink) {
  WriteRules(report, style, sink);
  const auto& violations = report.verdict.violations;
  const size_t shown = ShownOf(violations.size(), top);
  for (size_t i = 0; i < shown; ++i) WriteViolation(report, violations[i], style, sink);
  if (shown < violations.size())
    sink.Write(style.Faint("\n… " + Counted(violations.size() - shown, "more violation", "more violations")) + "\n");
  if (!report.verdict.unjudged.empty()) sink.Write("\n");
  for (const check::Unjudged& each : report.verdict.unjudged) sink.Write(style.Bad(VisibleText(each.why)) + "\n");
  WriteExcused(report, top, style, sink);
  const std::string verdict = VerdictWords(report);
  sink.Write("\n" + (report.IsOk() ? style.Good(verdict) : style.Bad(verdict)) + "\n");
}

std::vector<Column> ViolationsTable::Columns() const {
  std::vector<Column> columns = {{"rule", "Rule"},
                                 {"type", "Type"},
                                 {"fingerprint", "Fingerprint"},
                                 {"objects", "Objects", Format::kCount},
                                 {"bytes", "Bytes", Format::kBytes},
                                 {"retained", "Retained", Format::kBytes},
                                 {"path", "Path"},
                                 {"message", "Message"}};
  if (!report_.allocated.empty()) columns.push_back({"allocated", "Allocated at"});
  return columns;
}

std::vector<Cell> ViolationsTable::Row(uint64_t row) const {
  const Violation& violation = report_.verdict.violations.at(row);
  const check::Rule& rule = report_.rules->rules[violation.rule];
  std::vector<Cell> cells = {
      rule.name,           violation.type,         violation.fingerprint, violation.now.objects,
      violation.now.bytes, violation.now.retained, violation.path,        ViolationWords(rule, violation)};
  if (!report_.allocated.empty()) cells.emplace_back(AllocatedWords(report_, violation));
  return cells;
}

}  // namespace cairn::presentation
