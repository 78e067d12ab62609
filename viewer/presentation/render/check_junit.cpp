// As the readers of build servers take it: a suite with its properties, cases, output and error output in this order,
// every attribute that one of the known schemas asks for, and none that one of them forbids.

#include <fmt/format.h>

#include <algorithm>

#include "viewer/presentation/documents/check_words.h"
#include "viewer/presentation/documents/path_document.h"
#include "viewer/presentation/render/check_reports.h"
#include "viewer/presentation/render/markup.h"

namespace cairn::presentation {
namespace {

using check::Violation;

std::string StepsOf(const CheckReport& report, const Violation& violation) {
  std::string text;
  if (!violation.holder) return text;
  for (const session::PathStep& step : violation.holder->steps)
    text +=
        fmt::format("    @{} {}  {}\n", step.object.value, report.summary->types.at(step.type.value).name, step.field);
  return text;
}

std::string AllocatedLine(const CheckReport& report, const Violation& violation) {
  const std::string words = AllocatedWords(report, violation);
  return words.empty() ? "" : "    " + words + "\n";
}

std::string Details(const CheckReport& report, size_t rule) {
  std::string text;
  for (const Violation& violation : report.verdict.violations)
    if (violation.rule == rule)
      text += fmt::format("{}\n    fingerprint {}\n{}{}\n", ViolationWords(report.rules->rules[rule], violation),
                          violation.fingerprint, AllocatedLine(report, violation), StepsOf(report, violation));
  return text;
}

std::string Failure(const CheckReport& report, size_t rule) {
  const auto first = std::find_if(report.verdict.violations.begin(), report.verdict.violations.end(),
                                  [&](const Violation& violation) { return violation.rule == rule; });
  std::string message = ViolationWords(report.rules->rules[rule], *first);
  if (const uint64_t more = report.Violations(rule) - 1; more > 0) message += fmt::format(" (and {} more)", more);
  return fmt::format("<failure{}{}>{}</failure>", Attribute("message", message),
                     Attribute("type", check::RuleKindName(report.rules->rules[rule].kind)),
                     EscapedLines(Details(report, rule)));
}

std::string CaseOf(const CheckReport& report, size_t index) {
  const check::Rule& rule = report.rules->rules[index];
  std::string outcome;
  if (!report.complete)
    outcome = fmt::format("<error{} type=\"incomplete\"/>", Attribute("message", VerdictWords(report)));
  else if (report.Violations(index) > 0)
    outcome = Failure(report, index);
  else if (const std::string why = report.WhyUnjudged(index); !why.empty())
    outcome = fmt::format("<error{} type=\"unjudged\"/>", Attribute("message", why));
  const std::string head =
      fmt::format("    <testcase{}{} time=\"0\"", Attribute("name", rule.name),
                  Attribute("classname", fmt::format("cairn.check.{}", check::RuleKindName(rule.kind))));
  return outcome.empty() ? head + "/>\n" : head + ">" + outcome + "</testcase>\n";
}

std::string Property(std::string_view name, std::string_view value) {
  return fmt::format("      <property{}{}/>\n", Attribute("name", name), Attribute("value", value));
}

std::string Properties(const CheckReport& report) {
  std::string text = Property("snapshot", report.head);
  if (!report.base.empty()) text += Property("base", report.base);
  text += Property("process", report.summary->process.name);
  text += Property("runtime", report.summary->process.runtime);
  return "    <properties>\n" + text + "    </properties>\n";
}

std::string Output(const CheckReport& report) {
  std::string text = VerdictWords(report) + "\n";
  for (const check::Excused& excused : report.verdict.excused)
    text += fmt::format("{}: {}\n", ExcuseWord(excused.kind), ExcusedWords(excused));
  return text;
}

std::string Warnings(const CheckReport& report) {
  std::string text;
  for (const std::string& warning : report.verdict.warnings) text += "warning: " + warning + "\n";
  for (const snapshot::Problem& problem : report.problems) text += problem.message + "\n";
  return text;
}

}  // namespace

std::string CheckJunit(const CheckReport& report) {
  const size_t rules = report.rules->rules.size();
  size_t failures = 0, errors = 0;
  std::string cases;
  for (size_t i = 0; i < rules; ++i) {
    const bool failed = report.complete && report.Violations(i) > 0;
    failures += failed;
    errors += !failed && !report.WhyUnjudged(i).empty();
    cases += CaseOf(report, i);
  }
  // The schemas take a time without a zone.
  const std::string time = report.summary->capture.captured_at.substr(0, 19);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"cairn check\" package=\"cairn\" id=\"0\" hostname=\"localhost\"{} tests=\"{}\" "
      "failures=\"{}\" "
      "errors=\"{}\" time=\"0\">\n{}{}    <system-out>{}</system-out>\n    <system-err>{}</system-err>\n"
      "  </testsuite>\n</testsuites>\n",
      Attribute("timestamp", time.empty() ? "1970-01-01T00:00:00" : time), rules, failures, errors, Properties(report),
      cases, EscapedLines(Output(report)), EscapedLines(Warnings(report)));
}

}  // namespace cairn::presentation
