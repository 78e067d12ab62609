#include <fmt/format.h>

#include <algorithm>

#include "viewer/presentation/documents/check_words.h"
#include "viewer/presentation/documents/path_document.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/render/check_reports.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

using check::Violation;

// A comment has a largest size where it is posted.
constexpr size_t kMaxSections = 30;

// Plain text in Markdown: nothing in it is taken for markup.
std::string Plain(std::string_view text) {
  std::string out;
  for (const char c : VisibleText(text)) {
    if (std::string_view("\\`*_{}[]<>()#+-!|~&@").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// A fence that is longer than any run of backticks inside.
std::string Fenced(const std::string& text) {
  size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + "text\n" + text + fence + "\n";
}

std::string Steps(const CheckReport& report, const Violation& violation) {
  std::string text;
  if (!violation.holder) return VisibleText(violation.path) + "\n";
  for (const session::PathStep& step : violation.holder->steps)
    text += VisibleText(fmt::format("{}  {}  @{}", step.field, report.summary->types.at(step.type.value).name,
                                    step.object.value)) +
            "\n";
  return text;
}

std::string Section(const CheckReport& report, const Violation& violation) {
  const check::Rule& rule = report.rules->rules[violation.rule];
  const std::string allocated = AllocatedWords(report, violation);
  return fmt::format("\n### {}\n\n{}\n\n{}\n{}Fingerprint `{}`\n", Plain(rule.name),
                     Plain(ViolationWords(rule, violation)), Fenced(Steps(report, violation)),
                     allocated.empty() ? "" : Plain(allocated) + "\n\n", VisibleText(violation.fingerprint));
}

std::string Rules(const CheckReport& report) {
  std::string text = "\n| | rule | asks for | violations |\n|---|---|---|---:|\n";
  for (size_t i = 0; i < report.rules->rules.size(); ++i) {
    const uint64_t violations = report.Violations(i);
    const char* mark = !report.WhyUnjudged(i).empty() ? "?" : violations == 0 ? "✅" : "❌";
    const check::Rule& rule = report.rules->rules[i];
    text += fmt::format("| {} | {} | {} | {} |\n", mark, Plain(rule.name), Plain(RuleWords(rule)), violations);
  }
  return text;
}

std::string Growth(const CheckReport& report) {
  if (report.growth.empty()) return {};
  std::string text = "\n### Types that grew\n\n| type | before | now | added |\n|---|---:|---:|---:|\n";
  for (const TypeGrowth& row : report.growth)
    text += fmt::format("| {} | {} | {} | {} |\n", Plain(row.type), HumanBytes(row.bytes_before),
                        HumanBytes(row.bytes_now), HumanBytes(row.bytes_now - row.bytes_before));
  return text;
}

std::string Lines(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = fmt::format("\n### {}\n\n", title);
  for (const std::string& line : lines) text += "- " + Plain(line) + "\n";
  return text;
}

}  // namespace

std::string CheckMarkdown(const CheckReport& report) {
  std::string text = fmt::format("## Leak check: {}\n\n{}{}\n", Plain(VerdictWords(report)), Plain(report.head),
                                 report.base.empty() ? "" : " against " + Plain(report.base));
  text += Rules(report);
  const auto& violations = report.verdict.violations;
  for (size_t i = 0; i < std::min(violations.size(), kMaxSections); ++i) text += Section(report, violations[i]);
  if (violations.size() > kMaxSections)
    text += fmt::format("\n… {}\n", Counted(violations.size() - kMaxSections, "more violation", "more violations"));
  std::vector<std::string> unjudged, excused, problems;
  for (const check::Excused& entry : report.verdict.excused)
    excused.push_back(std::string(ExcuseWord(entry.kind)) + ": " + ExcusedWords(entry));
  for (const snapshot::Problem& problem : report.problems) problems.push_back(problem.message);
  for (const check::Unjudged& each : report.verdict.unjudged) unjudged.push_back(each.why);
  return text + Lines("Rules that say nothing", unjudged) + Growth(report) + Lines("Not counted", excused) +
         Lines("Warnings", report.verdict.warnings) + Lines("Problems of the snapshots", problems);
}

}  // namespace cairn::presentation
