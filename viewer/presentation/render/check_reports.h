#pragma once
// The files that a check can write for others to read.

#include <optional>
#include <string>
#include <string_view>

#include "viewer/presentation/documents/check_report.h"

namespace cairn::presentation {

enum class ReportKind { kJunit, kSarif, kMarkdown, kHtml, kJson, kText };

// "junit", "sarif", "md", "html", "json", "text".
std::optional<ReportKind> ParseReportKind(std::string_view word);
// Whether it shows more of the heap than the verdict: see DescribeHeap.
bool ShowsHeap(ReportKind kind);

std::string RenderReport(ReportKind kind, const CheckReport& report);

// JUnit's XML: one test case per rule. An incomplete snapshot is an error of every case, not a failure.
std::string CheckJunit(const CheckReport& report);
// SARIF 2.1.0: rules, results at the rule's place in its file, paths as code flows, excused results suppressed.
std::string CheckSarif(const CheckReport& report);
// For a comment on a change: a verdict, a table of rules, a section per violation.
std::string CheckMarkdown(const CheckReport& report);
// One self-contained page with inline SVG and without script; also well-formed as XML.
std::string CheckHtml(const CheckReport& report);

}  // namespace cairn::presentation
