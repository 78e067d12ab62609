#include <fmt/format.h>

#include <algorithm>

#include "viewer/presentation/documents/check_words.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/render/check_reports.h"
#include "viewer/presentation/render/markup.h"
#include "viewer/presentation/render/svg_charts.h"

namespace cairn::presentation {
namespace {

using check::Violation;

constexpr size_t kMaxSections = 100;

constexpr std::string_view kStyle = R"css(
:root { --ink: #1c2430; --faint: #5d6b7c; --paper: #ffffff; --card: #f4f6f8; --line: #d5dbe2; --good: #1a7f4b;
  --bad: #b3261e; --box: #e3ebf4; --root: #dfe7d8; --leak: #f8d7d4; --before: #9fb3c8; --added: #d9614f;
  --h0: #cfe0f3; --h1: #d6ecd9; --h2: #f3e3c9; --h3: #e5d9f1; --h4: #f6d8d8; --h5: #d3ecec; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6ebf1; --faint: #9aa8b8; --paper: #12171e; --card: #1b222c; --line: #323d4b; --good: #5fd39a;
    --bad: #ff8a80; --box: #26364a; --root: #2c3a28; --leak: #54282a; --before: #4a637f; --added: #c25a4b;
    --h0: #24405f; --h1: #27472f; --h2: #4d3d20; --h3: #3d2f54; --h4: #522c2c; --h5: #224848; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1000px;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
.verdict { font-size: 1.1rem; font-weight: 600; } .good { color: var(--good); } .bad { color: var(--bad); }
.faint { color: var(--faint); } code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .3rem .6rem;
  border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td.outcome { white-space: nowrap; } td.number, th.number { text-align: right; white-space: nowrap; }
.violation { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--bad);
  border-radius: 6px; padding: .6rem 1rem 1rem; margin: 1rem 0; }
.violation h3 { margin: 0 0 .3rem; font-size: 1rem; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--ink); }
.label { font: 11px system-ui, sans-serif; } .label.faint { fill: var(--faint); }
rect { stroke: var(--line); } .step { fill: var(--box); } .root { fill: var(--root); } .leak { fill: var(--leak); }
.before { fill: var(--before); stroke: none; } .added { fill: var(--added); stroke: none; }
.key { display: inline-block; width: .8em; height: .8em; margin-left: .6em; } .key.before { background: var(--before); }
.key.added { background: var(--added); }
.arrow { stroke: var(--faint); fill: none; } rect.tile0, rect.tile1 { stroke: var(--paper); }
.hue0 { fill: var(--h0); } .hue1 { fill: var(--h1); } .hue2 { fill: var(--h2); } .hue3 { fill: var(--h3); }
.hue4 { fill: var(--h4); } .hue5 { fill: var(--h5); } rect.tile1 { fill-opacity: .75; }
)css";

std::string Head(const CheckReport& report) {
  const snapshot::Process& process = report.summary->process;
  std::string text = fmt::format("<h1>Leak check of {}</h1>\n", Escaped(process.name));
  text += fmt::format("<p class=\"faint\">{}{}<br/>.NET {}, process {}, captured {}; {} in {} reachable</p>\n",
                      Escaped(report.head), report.base.empty() ? "" : " against " + Escaped(report.base),
                      Escaped(process.runtime), process.pid, Escaped(report.summary->capture.captured_at),
                      FullBytes(report.reachable.bytes), Counted(report.reachable.objects, "object", "objects"));
  return text +
         fmt::format("<p class=\"verdict {}\">{}</p>\n", report.IsOk() ? "good" : "bad", Escaped(VerdictWords(report)));
}

std::string Rules(const CheckReport& report) {
  std::string rows;
  for (size_t i = 0; i < report.rules->rules.size(); ++i) {
    const check::Rule& rule = report.rules->rules[i];
    const uint64_t violations = report.Violations(i);
    const char* outcome = !report.WhyUnjudged(i).empty() ? "<span class=\"faint\">?</span>"
                          : violations == 0              ? "<span class=\"good\">ok</span>"
                                                         : "<span class=\"bad\">leak</span>";
    rows += fmt::format("<tr><td class=\"outcome\">{}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td></tr>\n",
                        outcome, Escaped(rule.name), Escaped(RuleWords(rule)), violations);
  }
  return "<h2>Rules</h2>\n<table><tr><th></th><th>Rule</th><th>Asks for</th><th "
         "class=\"number\">Violations</th></tr>\n" +
         rows + "</table>\n";
}

std::string Section(const CheckReport& report, const Violation& violation) {
  const check::Rule& rule = report.rules->rules[violation.rule];
  const std::string path = violation.holder ? PathSvg(*report.summary, *violation.holder)
                                            : "<p><code>" + Escaped(violation.path) + "</code></p>\n";
  const std::string words = AllocatedWords(report, violation);
  return fmt::format(
      "<div class=\"violation\"><h3>{}</h3>\n<p>{}</p>\n{}{}<p class=\"faint\">fingerprint <code>{}</code></p></div>\n",
      Escaped(rule.name), Escaped(ViolationWords(rule, violation)), path,
      words.empty() ? "" : "<p>" + Escaped(words) + "</p>\n", Escaped(violation.fingerprint));
}

std::string Sections(const CheckReport& report) {
  const auto& violations = report.verdict.violations;
  if (violations.empty()) return {};
  std::string text = "<h2>Leaks</h2>\n";
  for (size_t i = 0; i < std::min(violations.size(), kMaxSections); ++i) text += Section(report, violations[i]);
  if (violations.size() > kMaxSections)
    text +=
        fmt::format("<p>… {}</p>\n", Counted(violations.size() - kMaxSections, "more violation", "more violations"));
  return text;
}

std::string Lines(std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = fmt::format("<h2>{}</h2>\n<ul>\n", title);
  for (const std::string& line : lines) text += "<li>" + Escaped(line) + "</li>\n";
  return text + "</ul>\n";
}

std::string Remarks(const CheckReport& report) {
  std::vector<std::string> unjudged, excused, problems;
  for (const check::Excused& entry : report.verdict.excused)
    excused.push_back(std::string(ExcuseWord(entry.kind)) + ": " + ExcusedWords(entry));
  for (const snapshot::Problem& problem : report.problems) problems.push_back(problem.message);
  for (const check::Unjudged& each : report.verdict.unjudged) unjudged.push_back(each.why);
  return Lines("Rules that say nothing", unjudged) + Lines("Not counted", excused) +
         Lines("Warnings", report.verdict.warnings) + Lines("Problems of the snapshots", problems);
}

std::string Pictures(const CheckReport& report) {
  std::string text;
  if (!report.growth.empty())
    text +=
        "<h2>Types that grew</h2>\n<p class=\"faint\"><span class=\"key before\"></span> bytes before "
        "<span class=\"key added\"></span> added since</p>\n" +
        GrowthSvg(report.growth);
  if (!report.tiles.empty())
    text += "<h2>What retains the heap</h2>\n" + TreemapSvg(report.tiles, report.reachable.bytes);
  return text;
}

}  // namespace

std::string CheckHtml(const CheckReport& report) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>Leak check of {}</title>\n"
      "<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      Escaped(report.summary->process.name), kStyle,
      Head(report) + Rules(report) + Sections(report) + Pictures(report) + Remarks(report));
}

}  // namespace cairn::presentation
