#include "viewer/check/judge.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "viewer/analysis/fingerprint.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/check/rule_judge.h"
#include "viewer/session/load_contexts.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::check {
namespace {

using session::PathGroup;
using session::SnapshotSession;

// Violations that are told with every step of a path; beyond them the path's text has to do.
constexpr size_t kMaxHolders = 100;

std::vector<std::string> NamesOf(const snapshot::Summary& summary) {
  std::vector<std::string> names;
  names.reserve(summary.types.size());
  for (const snapshot::Type& type : summary.types) names.push_back(type.name);
  return names;
}

Status CheckRules(const RuleSet& rules, const Base* base) {
  for (const Rule& rule : rules.rules) {
    if (rule.kind == RuleKind::kNoGrowth && base == nullptr)
      return Fail(ErrorKind::kUsage, "check.needs_base",
                  rule.place.Text() + ": the rule '" + rule.name + "' compares with an earlier snapshot",
                  "Name one with --base BASE.");
  }
  return {};
}

void WarnOfSnapshots(const snapshot::Summary& head, const Base* base, std::vector<std::string>& warnings) {
  if (head.capture.roots != "full")
    warnings.push_back(
        "The snapshot is of a young collection: some objects may count as reachable that no full collection would "
        "leave. Capture with --gc full for a verdict without doubt.");
  if (base == nullptr) return;
  if (base->roots != "full")
    warnings.push_back(
        "The base is of a young collection: growth may be larger than it says. Capture it with --gc full.");
  if (!base->captured_at.empty() && base->captured_at > head.capture.captured_at)
    warnings.push_back("The base was captured after the snapshot; growth is what was added since the base.");
  if (base->process != head.process.name)
    warnings.push_back("The base is of another program: " + base->process + ", not " + head.process.name + ".");
}

// A pattern that matches nothing is most often a mistake in its spelling, and would be green for ever.
void FindAbsent(const RuleSet& rules, const std::vector<std::string>& names, const Base* base, Verdict& verdict) {
  const auto matches = [](const TypeSelector& types, const std::vector<std::string>& in) {
    const auto selected = types.select(in);
    return std::find(selected.begin(), selected.end(), true) != selected.end();
  };
  for (size_t i = 0; i < rules.rules.size(); ++i) {
    const Rule& rule = rules.rules[i];
    if (!rule.types || matches(*rule.types, names) || (base && matches(*rule.types, base->type_names))) continue;
    const std::string why = rule.place.Text() + ": no type of the snapshot matches " + rule.types->text +
                            ", so that the rule '" + rule.name + "' says nothing.";
    if (rule.MayBeAbsent())
      verdict.warnings.push_back(rule.may_be_absent ? why
                                                    : why + " Is it spelt right? may_be_absent = false asks for one.");
    else
      verdict.unjudged.push_back(
          {i, why + " If no object of it need be there, the rule says so: may_be_absent = true."});
  }
}

std::string DayText(std::chrono::year_month_day day) {
  char text[32];
  snprintf(text, sizeof text, "%04d-%02u-%02u", int(day.year()), unsigned(day.month()), unsigned(day.day()));
  return text;
}

void WarnOfExpired(const Policy& policy, const Verdict& verdict, std::vector<std::string>& warnings) {
  for (const Ignore& ignore : policy.rules.ignores) {
    const bool told = std::any_of(
        verdict.violations.begin(), verdict.violations.end(),
        [&](const Violation& violation) { return violation.expired && violation.expired->place == ignore.place; });
    if (ignore.until < policy.today && !told)
      warnings.push_back(ignore.place.Text() + ": this ignore ended on " + DayText(ignore.until) +
                         " and nothing needs it; take it out.");
  }
}

void WarnOfBaseline(const Policy& policy, const std::vector<PathGroup>& groups, std::vector<std::string>& warnings) {
  if (!policy.baseline) return;
  std::set<std::string_view> present;
  for (const PathGroup& group : groups)
    if (group.objects > 0) present.insert(group.fingerprint);
  size_t gone = 0, unsized = 0;
  for (const auto& [section, leaks] : policy.baseline->sections)
    for (const auto& [fingerprint, entry] : leaks) {
      gone += !present.contains(fingerprint);
      unsized += !entry.size;
    }
  if (unsized > 0)
    warnings.push_back("Entries of the baseline that do not say how much they were: " + std::to_string(unsized) +
                       ". They pass however much they grow; --write-baseline writes them anew.");
  if (gone > 0)
    warnings.push_back("Entries of the baseline that the snapshot no longer has: " + std::to_string(gone) +
                       ". --write-baseline leaves them out.");
}

std::string PathText(const session::RootPath& path) {
  std::string text = snapshot::RootKindName(path.root.kind);
  if (const std::string name = path.root.Name(); !name.empty()) text += " " + name;
  for (size_t i = 1; i < path.steps.size(); ++i) {
    if (path.omitted > 0 && i == path.omitted_after) text += " → …";
    text += " → " + analysis::WithoutIndex(path.steps[i].field);
  }
  return text;
}

// The shortest path to a context is the runtime's own handle, which says nothing of who uses it.
Status AddContextHolder(SnapshotSession& session, Violation& violation, analysis::Work& work) {
  auto paths = session::HoldersOfContext(session, violation.example, 1, work);
  if (!paths) return tl::make_unexpected(std::move(paths).error());
  if (paths->empty()) return {};
  violation.holder = std::move(paths->front());
  violation.path = PathText(*violation.holder);
  return {};
}

Status AddHolders(SnapshotSession& session, const RuleSet& rules, Verdict& verdict, analysis::Work& work) {
  for (size_t i = 0; i < std::min(verdict.violations.size(), kMaxHolders); ++i) {
    Violation& violation = verdict.violations[i];
    if (!violation.example.Valid()) continue;
    if (rules.rules[violation.rule].kind == RuleKind::kCollectibleContexts) {
      CAIRN_TRY(AddContextHolder(session, violation, work));
      continue;
    }
    session::PathRequest request;
    request.object = violation.example;
    request.limit = 1;
    request.max_steps = 200;
    request.with_retained = true;
    auto paths = session.Paths(request, work);
    if (!paths) return tl::make_unexpected(std::move(paths).error());
    if (!paths->paths.empty()) violation.holder = std::move(paths->paths.front());
  }
  return {};
}

// Type and path; of a long path its head, which says whose it is.
std::string WhereOf(const std::string& type, const std::string& path) {
  constexpr size_t kSteps = 6;
  size_t end = 0;
  for (size_t step = 0; step < kSteps && end != std::string::npos; ++step) end = path.find(" → ", end + 1);
  return type + ": " + path.substr(0, end) + (end == std::string::npos ? "" : " → …");
}

void SortByWeight(std::vector<Violation>& violations) {
  std::stable_sort(violations.begin(), violations.end(), [](const Violation& a, const Violation& b) {
    return std::tuple(a.rule, b.now.retained, b.now.objects, a.fingerprint) <
           std::tuple(b.rule, a.now.retained, a.now.objects, b.fingerprint);
  });
}

}  // namespace

Result<Base> ReadBase(SnapshotSession& session, analysis::Work& work) {
  auto groups = session.PathGroups({}, work);
  if (!groups) return tl::make_unexpected(std::move(groups).error());
  const snapshot::Summary& summary = session.GetSummary();
  return Base{NamesOf(summary), std::move(*groups), summary.process.name, summary.capture.captured_at,
              summary.capture.roots};
}

Result<Verdict> Judge(SnapshotSession& head, const Base* base, const Policy& policy, analysis::Work& work) {
  CAIRN_TRY(CheckRules(policy.rules, base));
  const auto groups = head.PathGroups({}, work);
  if (!groups) return tl::make_unexpected(groups.error());
  const std::vector<std::string> names = NamesOf(head.GetSummary());
  Verdict verdict;
  RuleJudge judge({head, names, *groups, base, policy, work}, verdict);
  for (size_t i = 0; i < policy.rules.rules.size(); ++i) CAIRN_TRY(judge.Run(i));
  SortByWeight(verdict.violations);
  CAIRN_TRY(AddHolders(head, policy.rules, verdict, work));
  WarnOfSnapshots(head.GetSummary(), base, verdict.warnings);
  FindAbsent(policy.rules, names, base, verdict);
  WarnOfExpired(policy, verdict, verdict.warnings);
  WarnOfBaseline(policy, *groups, verdict.warnings);
  return verdict;
}

Baseline NewBaseline(const RuleSet& rules, const Verdict& verdict) {
  Baseline baseline;
  for (const Violation& violation : verdict.violations)
    for (const CoveredPath& path : violation.covered)
      baseline.Add(SectionOf(rules.rules[violation.rule]), path.fingerprint,
                   {path.size, WhereOf(path.type, path.path)});
  for (const Excused& excused : verdict.excused)
    if (excused.kind == Excused::Kind::kBaseline)
      baseline.Add(excused.section, excused.fingerprint,
                   {KnownSize{excused.objects, excused.retained}, WhereOf(excused.type, excused.path)});
  return baseline;
}

void AcceptAll(const RuleSet& rules, Verdict& verdict) {
  std::map<std::pair<std::string, std::string>, size_t> known;
  for (size_t i = 0; i < verdict.excused.size(); ++i)
    if (verdict.excused[i].kind == Excused::Kind::kBaseline)
      known[{verdict.excused[i].section, verdict.excused[i].fingerprint}] = i;
  for (const Violation& violation : verdict.violations) {
    const std::string section = SectionOf(rules.rules[violation.rule]);
    for (const CoveredPath& path : violation.covered) {
      const auto [at, added] = known.try_emplace({section, path.fingerprint}, verdict.excused.size());
      if (added)
        verdict.excused.push_back({violation.rule,
                                   Excused::Kind::kBaseline,
                                   path.type,
                                   path.fingerprint,
                                   path.path,
                                   "it is in the new baseline",
                                   path.size.objects,
                                   path.size.retained,
                                   section,
                                   {}});
      else
        verdict.excused[at->second].other_rules.push_back(violation.rule);
    }
  }
  verdict.violations.clear();
}

}  // namespace cairn::check
