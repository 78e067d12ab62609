#include "viewer/presentation/documents/problems.h"

#include <algorithm>
#include <string_view>

namespace cairn::presentation {
namespace {

struct Advice {
  std::string_view code_start;
  std::string_view text;
};

// By the start of the code; the first that fits.
constexpr Advice kAdvice[] = {
    {"walk.not_reconciled", "Capture again when the process is quiet; a difference that stays is worth a report."},
    {"capture.", "Capture again; keep the process and this command running until it is done."},
    {"statics.", "Counts and sizes are right; some static fields are missing among the roots."},
    {"names.", "Counts and sizes are right; some names are missing."},
    {"walk.", "Capture again; if it stays, capture with --self-check full and report what it says."},
    {"target.", "Capture again while the process stays alive."},
    {"stream.", "Capture again; keep the process and this command running until it is done."},
    {"memory.", "Free memory or raise the limit of the process, then capture again."},
    {"roots.", "Counts and sizes are right; who keeps an object alive may be unknown for some."},
    {"types.", "Counts and sizes are right; some names are missing."},
    {"gc.", "Capture again with --gc full for exact reachability."},
};

std::string MessageOf(const NamedSummary& snapshot, const std::string& message, bool several) {
  return several ? snapshot.path + ": " + message : message;
}

}  // namespace

bool NamedSummary::IsComplete() const {
  return summary->complete &&
         std::none_of(found.begin(), found.end(), [](const snapshot::Problem& problem) { return problem.incomplete; });
}

Json ProblemEntry(const std::string& code, const std::string& message) {
  return {{"code", code}, {"message", message}};
}

Json CompletenessFields(std::span<const NamedSummary> snapshots) {
  Json problems = Json::array();
  bool complete = true;
  for (const NamedSummary& snapshot : snapshots) {
    complete = complete && snapshot.IsComplete();
    for (const auto* list : {&snapshot.summary->problems, &snapshot.found})
      for (const snapshot::Problem& problem : *list)
        problems.push_back(ProblemEntry(problem.code, MessageOf(snapshot, problem.message, snapshots.size() > 1)));
  }
  return {{"complete", complete}, {"problems", std::move(problems)}};
}

Json ErrorDocument(const Error& error) {
  return {{"schema", 1}, {"error", {{"code", error.code}, {"message", error.message}, {"hint", error.hint}}}};
}

std::string ProblemAdvice(const std::string& code) {
  const auto* advice = std::find_if(std::begin(kAdvice), std::end(kAdvice),
                                    [&](const Advice& candidate) { return code.starts_with(candidate.code_start); });
  return advice == std::end(kAdvice) ? std::string() : std::string(advice->text);
}

}  // namespace cairn::presentation
