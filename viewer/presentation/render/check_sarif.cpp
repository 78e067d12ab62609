// Static Analysis Results Interchange Format, version 2.1.0 (OASIS). A leak has no line of source; a result stands at
// its rule in the rules file, which is what a person would change, and names type and path as logical locations.

#include <fmt/format.h>

#include <algorithm>

#include "viewer/presentation/allocations/allocation_report.h"
#include "viewer/presentation/documents/check_words.h"
#include "viewer/presentation/render/check_reports.h"
#include "viewer/presentation/render/json_document.h"

namespace cairn::presentation {
namespace {

using check::Rule;
using check::Violation;

constexpr size_t kMostStacks = 5;

// A path as a relative URI reference.
std::string Uri(const std::string& path) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos)
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return path.starts_with('/') ? "file://" + uri : uri;
}

Json Text(const std::string& text) { return {{"text", text}}; }

Json RuleEntry(const Rule& rule) {
  return {{"id", rule.name},
          {"name", check::RuleKindName(rule.kind)},
          {"shortDescription", Text(RuleWords(rule))},
          {"fullDescription", Text(RuleWords(rule))},
          {"defaultConfiguration", {{"level", "error"}}}};
}

Json Physical(const Rule& rule) {
  return {{"artifactLocation", {{"uri", Uri(rule.place.file)}}},
          {"region", {{"startLine", rule.place.line}, {"startColumn", rule.place.column}}}};
}

Json Location(const Rule& rule, const std::string& type) {
  return {{"physicalLocation", Physical(rule)},
          {"logicalLocations", Json::array({{{"fullyQualifiedName", type}, {"kind", "type"}}})}};
}

// The path from the root to the leaked object, step by step.
Json Flow(const CheckReport& report, const Violation& violation) {
  Json steps = Json::array();
  const Rule& rule = report.rules->rules[violation.rule];
  for (const session::PathStep& step : violation.holder->steps) {
    const std::string& type = report.summary->types.at(step.type.value).name;
    Json location = Location(rule, type);
    location["message"] = Text(fmt::format("{} → {} (@{})", step.field, type, step.object.value));
    steps.push_back({{"location", std::move(location)}});
  }
  return {{"threadFlows", Json::array({{{"locations", std::move(steps)}}})}};
}

Json ResultOf(const Rule& rule, size_t index, const std::string& level, const std::string& message,
              const std::string& type, const std::string& fingerprint) {
  return {{"ruleId", rule.name},
          {"ruleIndex", index},
          {"level", level},
          {"message", Text(message)},
          {"locations", Json::array({Location(rule, type)})},
          {"partialFingerprints", {{"cairnPath/v1", fingerprint}}}};
}

// The methods that made objects of its type, innermost first, as far as they were sampled.
Json Stacks(const CheckReport& report, const AllocationSites& sites) {
  Json stacks = Json::array();
  for (size_t i = 0; i < std::min(sites.sites.size(), kMostStacks); ++i) {
    const AllocationSites::Site& site = sites.sites[i];
    Json frames = Json::array();
    for (const std::string& method : FramesOf(*report.summary->sampling, site.stack)) {
      const Json name = {{"fullyQualifiedName", method}, {"kind", "function"}};
      frames.push_back({{"location", {{"logicalLocations", Json::array({name})}}}});
    }
    const std::string words = fmt::format("allocated here: {} of {} sampled", site.sampled, sites.sampled);
    stacks.push_back({{"message", Text(words)}, {"frames", std::move(frames)}});
  }
  return stacks;
}

Json ViolationResult(const CheckReport& report, const Violation& violation) {
  const Rule& rule = report.rules->rules[violation.rule];
  Json result =
      ResultOf(rule, violation.rule, "error", ViolationWords(rule, violation), violation.type, violation.fingerprint);
  if (violation.holder && !violation.holder->steps.empty())
    result["codeFlows"] = Json::array({Flow(report, violation)});
  const auto allocated = report.allocated.find(violation.example.value);
  if (allocated != report.allocated.end() && allocated->second.sites.sampled > 0)
    result["stacks"] = Stacks(report, allocated->second.sites);
  return result;
}

Json ExcusedResult(const CheckReport& report, const check::Excused& excused) {
  Json result = ResultOf(report.rules->rules[excused.rule], excused.rule, "note", ExcusedWords(excused), excused.type,
                         excused.fingerprint);
  result["suppressions"] = Json::array({{{"kind", "external"}, {"justification", excused.reason}}});
  return result;
}

Json Notification(const char* level, const std::string& text) { return {{"level", level}, {"message", Text(text)}}; }

Json Invocation(const CheckReport& report) {
  Json notes = Json::array();
  for (const std::string& warning : report.verdict.warnings) notes.push_back(Notification("warning", warning));
  for (const snapshot::Problem& problem : report.problems)
    notes.push_back(Notification(problem.incomplete ? "error" : "warning", problem.message));
  for (const check::Unjudged& each : report.verdict.unjudged) notes.push_back(Notification("error", each.why));
  return {{"executionSuccessful", report.complete && report.verdict.unjudged.empty()},
          {"toolExecutionNotifications", std::move(notes)}};
}

}  // namespace

std::string CheckSarif(const CheckReport& report) {
  Json rules = Json::array(), results = Json::array();
  for (const Rule& rule : report.rules->rules) rules.push_back(RuleEntry(rule));
  // Nothing can be said of a part of a heap.
  if (report.complete) {
    for (const Violation& violation : report.verdict.violations) results.push_back(ViolationResult(report, violation));
    for (const check::Excused& excused : report.verdict.excused) results.push_back(ExcusedResult(report, excused));
  }
  const Json driver = {{"name", "cairn"}, {"version", CAIRN_VERSION}, {"rules", std::move(rules)}};
  const Json run = {{"tool", {{"driver", driver}}},
                    {"invocations", Json::array({Invocation(report)})},
                    {"columnKind", "utf16CodeUnits"},
                    {"results", std::move(results)}};
  const Json log = {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({run})}};
  return log.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace cairn::presentation
