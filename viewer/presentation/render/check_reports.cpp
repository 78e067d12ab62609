#include "viewer/presentation/render/check_reports.h"

#include <array>
#include <utility>

#include "viewer/presentation/documents/check_document.h"

namespace cairn::presentation {
namespace {

constexpr std::array<std::pair<std::string_view, ReportKind>, 6> kKinds = {{{"junit", ReportKind::kJunit},
                                                                            {"sarif", ReportKind::kSarif},
                                                                            {"md", ReportKind::kMarkdown},
                                                                            {"html", ReportKind::kHtml},
                                                                            {"json", ReportKind::kJson},
                                                                            {"text", ReportKind::kText}}};

std::string CheckJson(const CheckReport& report) {
  StringSink sink;
  JsonDocument document(sink);
  Json problems = Json::array();
  for (const snapshot::Problem& problem : report.problems)
    problems.push_back({{"code", problem.code}, {"message", problem.message}});
  document.Put("complete", report.complete);
  document.Put("problems", problems);
  document.PutAll(CheckFields(report, std::nullopt));
  document.Finish();
  return sink.Text();
}

std::string CheckText(const CheckReport& report) {
  StringSink sink;
  WriteCheckText(report, std::nullopt, {}, sink);
  return sink.Text();
}

}  // namespace

std::optional<ReportKind> ParseReportKind(std::string_view word) {
  for (const auto& [name, kind] : kKinds)
    if (name == word) return kind;
  return std::nullopt;
}

bool ShowsHeap(ReportKind kind) { return kind == ReportKind::kHtml || kind == ReportKind::kMarkdown; }

std::string RenderReport(ReportKind kind, const CheckReport& report) {
  switch (kind) {
    case ReportKind::kJunit:
      return CheckJunit(report);
    case ReportKind::kSarif:
      return CheckSarif(report);
    case ReportKind::kMarkdown:
      return CheckMarkdown(report);
    case ReportKind::kHtml:
      return CheckHtml(report);
    case ReportKind::kJson:
      return CheckJson(report);
    case ReportKind::kText:
      break;
  }
  return CheckText(report);
}

}  // namespace cairn::presentation
