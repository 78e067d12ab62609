// Reports of a check, each held against what their readers take: JUnit against the strictest of its schemas, SARIF
// against version 2.1.0 as far as it is used, HTML and SVG as well-formed XML.

#include "viewer/presentation/render/check_reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/viewer/presentation/xml_tree.h"
#include "viewer/presentation/documents/check_document.h"
#include "viewer/presentation/documents/check_words.h"
#include "viewer/presentation/documents/grow_document.h"
#include "viewer/presentation/layouts/treemap.h"

namespace cairn::presentation {
namespace {

using check::Excess;
using check::Measure;
using check::RuleKind;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSubsetOf;
using ::testing::Not;
using testing::XmlElement;
using testing::XmlReader;

constexpr const char* kEvil = "Evil<script>alert('\"&')</script>\x1b[31m`|*_\xff";

check::Rule RuleOf(RuleKind kind, const std::string& name, uint32_t line) {
  check::Rule rule;
  rule.kind = kind;
  rule.name = name;
  rule.place = {"build/leak rules.toml", line, 1};
  rule.max_objects = 10;
  rule.types = check::TypeSelector{"Shop.*", nullptr};
  return rule;
}

// Two rules, the second without violations; one violation with its path; one excused.
struct Sample {
  Sample() {
    summary.process = {42, kEvil, "", "10.0.12", "server", "x64", 8, 3};
    summary.capture.captured_at = "2026-01-02T03:04:05Z";
    summary.types.resize(2);
    summary.types[0].name = "Shop.Cache";
    summary.types[1].name = kEvil;
    rules.rules = {RuleOf(RuleKind::kLimit, "orders", 3), RuleOf(RuleKind::kNoGrowth, "growth", 7)};
    report.head = "after.cairn";
    report.base = "before.cairn";
    report.summary = &summary;
    report.rules = &rules;
    report.reachable = {1000, 100'000};
    report.tiles = {{"Shop.Cache", 60'000, {{"Shop.Order[]", 50'000, {}}}}, {kEvil, 40'000, {}}};
    report.growth = {{kEvil, 1000, 5000}};
    report.verdict.violations.push_back(ViolationOf());
    report.verdict.excused.push_back(
        {0, check::Excused::Kind::kIgnored, "Shop.Order", "v1:ff", "static Shop.Old", "later", 3, 72, "leaks", {}});
    report.verdict.warnings.push_back("a <warning>");
  }
  static check::Violation ViolationOf() {
    check::Violation violation;
    violation.type = kEvil;
    violation.fingerprint = "v1:00112233";
    violation.path = "static Shop.Cache.Instance → [].value";
    violation.covered = {{"Shop.Order", "v1:00112233", "static Shop.All", {}},
                         {"Shop.Order", "v1:aa", "static Shop.B", {}}};
    violation.now = {12, 3000, 4096};
    violation.excesses = {{Measure::kObjects, 12, 10}, {Measure::kBytes, 3000, 2048}};
    violation.example = session::ObjectIndex(7);
    session::RootPath path;
    path.root.kind = snapshot::RootKind::kStatic;
    session::PathStep first, last;
    first.object = session::ObjectIndex(3);
    first.type = session::TypeIndex(0);
    first.field = "Shop.Cache.Instance";
    last.object = session::ObjectIndex(7);
    last.type = session::TypeIndex(1);
    last.field = "[5].value";
    path.steps = {first, last};
    violation.holder = path;
    return violation;
  }
  // Nothing can be said of the second rule.
  void AddUnjudged() { report.verdict.unjudged = {{1, "leaks.toml:7:1: no type matches <Shop.Ordr>"}}; }
  void MakeIncomplete() {
    report.complete = false;
    report.problems = {{"walk.bad", "after.cairn: not all was walked", true}};
  }

  snapshot::Summary summary;
  check::RuleSet rules;
  CheckReport report;
};

// ---- sentences ----

TEST(CheckWords, AViolationNamesFiguresLimitAndPath) {
  Sample sample;
  check::Violation violation = Sample::ViolationOf();
  violation.type = "Shop.Order";
  EXPECT_EQ(ViolationWords(sample.rules.rules[0], violation),
            "12 objects of Shop.Order reachable, at most 10 allowed; 2.9 KiB of Shop.Order reachable, at most 2.0 KiB "
            "allowed; path: static Shop.Cache.Instance → [].value (and 1 other path)");
  violation.before = session::GroupSize{2, 0, 0};
  violation.excesses = {{Measure::kObjects, 10, 0}};
  violation.covered.pop_back();
  violation.expired = check::Ignore{{"r.toml", 9, 1}, "", {}, "", "", "why", std::chrono::year(2026) / 1 / 31};
  EXPECT_EQ(ViolationWords(sample.rules.rules[1], violation),
            "10 objects more of Shop.Order (from 2 to 12), none allowed; path: static Shop.Cache.Instance → [].value; "
            "the ignore at r.toml:9:1 (why) ended on 2026-01-31");
}

TEST(CheckWords, RulesAndVerdicts) {
  Sample sample;
  EXPECT_EQ(RuleWords(sample.rules.rules[0]), "at most 10 objects of Shop.*");
  sample.rules.rules[1].max_objects = 0;
  EXPECT_EQ(RuleWords(sample.rules.rules[1]), "no object more of Shop.*, by path");
  EXPECT_EQ(VerdictWords(sample.report), "1 violation of 2 rules; 1 ignored, 0 known, 0 in the baseline");
  sample.AddUnjudged();
  EXPECT_EQ(VerdictWords(sample.report),
            "1 violation of 2 rules; 1 ignored, 0 known, 0 in the baseline; nothing can be said of 1 rule");
  sample.MakeIncomplete();
  EXPECT_EQ(VerdictWords(sample.report), "nothing can be said: a snapshot is incomplete");
}

// ---- JSON, text ----

TEST(CheckDocument, AnIncompleteSnapshotIsNeverOk) {
  Sample sample;
  EXPECT_FALSE(CheckFields(sample.report, {})["ok"]);
  sample.report.verdict.violations.clear();
  EXPECT_TRUE(CheckFields(sample.report, {})["ok"]);
  sample.MakeIncomplete();
  EXPECT_FALSE(CheckFields(sample.report, {})["ok"]);
}

TEST(CheckDocument, ARuleThatSaysNothingIsNotOk) {
  Sample sample;
  sample.report.verdict.violations.clear();
  sample.AddUnjudged();
  const Json fields = CheckFields(sample.report, {});
  EXPECT_FALSE(fields["ok"]);
  EXPECT_EQ(fields["unjudged"],
            Json::parse(R"([{"rule":"growth","message":"leaks.toml:7:1: no type matches <Shop.Ordr>"}])"));
  const std::string text = RenderReport(ReportKind::kText, sample.report);
  EXPECT_THAT(text, HasSubstr("?    growth"));
  EXPECT_THAT(text, HasSubstr("ok   orders"));
  EXPECT_THAT(text, HasSubstr("\nleaks.toml:7:1: no type matches <Shop.Ordr>\n"));
}

TEST(CheckDocument, FieldsOfAViolation) {
  const Sample sample;
  const Json fields = CheckFields(sample.report, {});
  EXPECT_EQ(fields["ignored"], 1);
  EXPECT_EQ(fields["known"], 0);
  EXPECT_EQ(fields["violations"][0]["rule"], "orders");
  EXPECT_EQ(fields["violations"][0]["objects"], 12);
  EXPECT_EQ(fields["violations"][0]["bytes"], 3000);
  EXPECT_EQ(fields["violations"][0]["objects_before"], nullptr);
  EXPECT_EQ(CheckFields(sample.report, 0)["violations"].size(), 0u);
}

TEST(CheckDocument, TextIsHarmless) {
  const Sample sample;
  const std::string text = RenderReport(ReportKind::kText, sample.report);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("LEAK orders: at most 10 objects of Shop.*"));
  EXPECT_THAT(text, HasSubstr("ok   growth"));
  EXPECT_THAT(text, HasSubstr("ignored: 3 objects of Shop.Order, static Shop.Old: later"));
}

// ---- JUnit ----

std::vector<std::string> NamesOf(const std::vector<XmlElement>& elements) {
  std::vector<std::string> names;
  for (const XmlElement& element : elements) names.push_back(element.name);
  return names;
}
std::vector<std::string> KeysOf(const XmlElement& element) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : element.attributes) keys.push_back(key);
  return keys;
}

// What the schemas that are about take in common.
void ExpectJunit(const std::string& text) {
  const XmlElement root = XmlReader::Read(text);
  EXPECT_EQ(root.name, "testsuites");
  EXPECT_TRUE(root.attributes.empty());
  ASSERT_THAT(NamesOf(root.children), ElementsAre("testsuite"));
  const XmlElement& suite = root.children[0];
  EXPECT_THAT(KeysOf(suite),
              ElementsAre("errors", "failures", "hostname", "id", "name", "package", "tests", "time", "timestamp"));
  EXPECT_TRUE(std::regex_match(suite.attributes.at("timestamp"),
                               std::regex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}")));
  ASSERT_GE(suite.children.size(), 3u);
  EXPECT_EQ(suite.children.front().name, "properties");
  for (const XmlElement& property : suite.children.front().children)
    EXPECT_THAT(KeysOf(property), ElementsAre("name", "value"));
  EXPECT_EQ(suite.children[suite.children.size() - 2].name, "system-out");
  EXPECT_EQ(suite.children.back().name, "system-err");
  size_t failures = 0, errors = 0;
  for (size_t i = 1; i + 2 < suite.children.size(); ++i) {
    const XmlElement& test = suite.children[i];
    EXPECT_EQ(test.name, "testcase");
    EXPECT_THAT(KeysOf(test), ElementsAre("classname", "name", "time"));
    ASSERT_LE(test.children.size(), 1u);
    if (test.children.empty()) continue;
    EXPECT_THAT(KeysOf(test.children[0]), ElementsAre("message", "type"));
    failures += test.children[0].name == "failure";
    errors += test.children[0].name == "error";
  }
  EXPECT_EQ(suite.attributes.at("tests"), std::to_string(suite.children.size() - 3));
  EXPECT_EQ(suite.attributes.at("failures"), std::to_string(failures));
  EXPECT_EQ(suite.attributes.at("errors"), std::to_string(errors));
}

TEST(CheckJunit, FollowsTheSchemas) {
  Sample sample;
  ExpectJunit(CheckJunit(sample.report));
  sample.summary.capture.captured_at.clear();
  ExpectJunit(CheckJunit(sample.report));
  sample.MakeIncomplete();
  ExpectJunit(CheckJunit(sample.report));
}

TEST(CheckJunit, OneCasePerRuleAndTheFailureNamesThePath) {
  const Sample sample;
  const XmlElement root = XmlReader::Read(CheckJunit(sample.report));
  const auto cases = root.Named("testcase");
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0]->attributes.at("name"), "orders");
  EXPECT_EQ(cases[0]->attributes.at("classname"), "cairn.check.limit");
  const auto failures = root.Named("failure");
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_THAT(failures[0]->attributes.at("message"), HasSubstr("static Shop.Cache.Instance → [].value"));
  EXPECT_THAT(failures[0]->attributes.at("message"), HasSubstr("<script>"));
  EXPECT_THAT(failures[0]->text, HasSubstr("@7"));
}

TEST(CheckJunit, AnIncompleteSnapshotIsAnErrorOfEveryCase) {
  Sample sample;
  sample.MakeIncomplete();
  const XmlElement root = XmlReader::Read(CheckJunit(sample.report));
  EXPECT_EQ(root.Named("error").size(), 2u);
  EXPECT_EQ(root.Named("failure").size(), 0u);
}

TEST(CheckJunit, ARuleThatSaysNothingIsAnError) {
  Sample sample;
  sample.AddUnjudged();
  ExpectJunit(CheckJunit(sample.report));
  const XmlElement root = XmlReader::Read(CheckJunit(sample.report));
  EXPECT_EQ(root.Named("failure").size(), 1u);
  ASSERT_EQ(root.Named("error").size(), 1u);
  EXPECT_EQ(root.Named("error")[0]->attributes.at("message"), "leaks.toml:7:1: no type matches <Shop.Ordr>");
}

// ---- SARIF ----

const Json& Required(const Json& object, const char* key) {
  if (!object.contains(key)) throw std::runtime_error(std::string("no ") + key + " in " + object.dump());
  return object.at(key);
}

void ExpectLocation(const Json& location) {
  const Json& physical = Required(location, "physicalLocation");
  const std::string uri = Required(Required(physical, "artifactLocation"), "uri");
  EXPECT_TRUE(std::regex_match(uri, std::regex("[A-Za-z0-9._~/%:-]+"))) << uri;
  EXPECT_GE(Required(Required(physical, "region"), "startLine").get<int>(), 1);
  EXPECT_GE(Required(Required(physical, "region"), "startColumn").get<int>(), 1);
  for (const Json& logical : Required(location, "logicalLocations"))
    EXPECT_TRUE(Required(logical, "fullyQualifiedName").is_string());
}

void ExpectResult(const Json& result, const Json& rules) {
  const size_t index = Required(result, "ruleIndex").get<size_t>();
  ASSERT_LT(index, rules.size());
  EXPECT_EQ(Required(result, "ruleId"), rules[index]["id"]);
  EXPECT_THAT((std::vector<std::string>{"none", "note", "warning", "error"}),
              ::testing::Contains(Required(result, "level").get<std::string>()));
  EXPECT_TRUE(Required(Required(result, "message"), "text").is_string());
  for (const Json& location : Required(result, "locations")) ExpectLocation(location);
  for (const auto& [key, value] : Required(result, "partialFingerprints").items()) EXPECT_TRUE(value.is_string());
  for (const Json& flow : result.value("codeFlows", Json::array()))
    for (const Json& thread : Required(flow, "threadFlows"))
      for (const Json& step : Required(thread, "locations")) ExpectLocation(Required(step, "location"));
  for (const Json& suppression : result.value("suppressions", Json::array()))
    EXPECT_EQ(Required(suppression, "kind"), "external");
}

Json ExpectSarif(const std::string& text) {
  const Json log = Json::parse(text);
  EXPECT_EQ(Required(log, "version"), "2.1.0");
  EXPECT_THAT(Required(log, "$schema").get<std::string>(), HasSubstr("sarif-schema-2.1.0.json"));
  const Json& run = Required(log, "runs").at(0);
  const Json& driver = Required(Required(run, "tool"), "driver");
  EXPECT_EQ(Required(driver, "name"), "cairn");
  for (const Json& rule : Required(driver, "rules")) {
    EXPECT_TRUE(Required(rule, "id").is_string());
    EXPECT_TRUE(Required(Required(rule, "shortDescription"), "text").is_string());
  }
  for (const Json& result : Required(run, "results")) ExpectResult(result, driver["rules"]);
  for (const Json& invocation : Required(run, "invocations"))
    EXPECT_TRUE(Required(invocation, "executionSuccessful").is_boolean());
  return run;
}

TEST(CheckSarif, FollowsTheStandard) {
  const Sample sample;
  const Json run = ExpectSarif(CheckSarif(sample.report));
  ASSERT_EQ(run["results"].size(), 2u);
  const Json& leak = run["results"][0];
  EXPECT_EQ(leak["level"], "error");
  EXPECT_EQ(leak["partialFingerprints"]["cairnPath/v1"], "v1:00112233");
  EXPECT_EQ(leak["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "build/leak%20rules.toml");
  EXPECT_EQ(leak["locations"][0]["physicalLocation"]["region"]["startLine"], 3);
  EXPECT_EQ(leak["codeFlows"][0]["threadFlows"][0]["locations"].size(), 2u);
  EXPECT_EQ(run["results"][1]["suppressions"][0]["justification"], "later");
}

TEST(CheckSarif, OfAnIncompleteSnapshotThereAreNoResults) {
  Sample sample;
  sample.MakeIncomplete();
  const Json run = ExpectSarif(CheckSarif(sample.report));
  EXPECT_EQ(run["results"].size(), 0u);
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
}

TEST(CheckSarif, ARuleThatSaysNothingIsAnErrorOfTheTool) {
  Sample sample;
  sample.AddUnjudged();
  const Json run = ExpectSarif(CheckSarif(sample.report));
  EXPECT_EQ(run["results"].size(), 2u);  // what was found counts all the same
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"][1]["level"], "error");
}

// ---- Markdown, HTML ----

TEST(CheckMarkdown, NamesAreNoMarkup) {
  const Sample sample;
  const std::string text = CheckMarkdown(sample.report);
  EXPECT_THAT(text, HasSubstr("| ❌ | orders | at most 10 objects of Shop.\\* | 1 |"));
  EXPECT_THAT(text, HasSubstr("Evil\\<script\\>"));
  EXPECT_THAT(text, HasSubstr("```text\nShop.Cache.Instance  Shop.Cache  @3\n"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(CheckHtml, IsWellFormedSelfContainedAndWithoutScript) {
  Sample sample;
  for (int round = 0; round < 2; ++round) {
    const std::string text = CheckHtml(sample.report);
    const XmlElement root = XmlReader::Read(text);
    EXPECT_EQ(root.Named("script").size(), 0u);
    EXPECT_EQ(root.Named("img").size() + root.Named("link").size() + root.Named("iframe").size(), 0u);
    EXPECT_EQ(root.Named("svg").size(), 3u);  // the path, growth, the treemap
    EXPECT_EQ(root.Named("h3").size(), 1u);
    EXPECT_THAT(text, Not(HasSubstr("<script")));
    sample.MakeIncomplete();
  }
  EXPECT_THAT(CheckHtml(sample.report), HasSubstr("nothing can be said"));
}

TEST(CheckHtml, ARuleThatSaysNothingIsTold) {
  Sample sample;
  sample.AddUnjudged();
  EXPECT_THAT(CheckHtml(sample.report), HasSubstr("<li>leaks.toml:7:1: no type matches &lt;Shop.Ordr&gt;</li>"));
  EXPECT_THAT(CheckMarkdown(sample.report), HasSubstr("### Rules that say nothing\n\n- leaks.toml:7:1: no type"));
  EXPECT_THAT(CheckMarkdown(sample.report), HasSubstr("| ? | growth |"));
}

// ---- treemap ----

TEST(Treemap, AreasAreAsWeightsAre) {
  const std::vector<uint64_t> weights = {6, 6, 4, 3, 2, 2, 1};  // the example of the paper: 6 × 4
  const auto places = Treemap(weights, {0, 0, 6, 4});
  ASSERT_EQ(places.size(), 7u);
  for (size_t i = 0; i < places.size(); ++i)
    EXPECT_NEAR(places[i].width * places[i].height, static_cast<double>(weights[i]), 1e-9);
  // The first row: two of 3 × 2.
  EXPECT_NEAR(places[0].width, 3, 1e-9);
  EXPECT_NEAR(places[0].height, 2, 1e-9);
  EXPECT_NEAR(places[1].y, 2, 1e-9);
  for (const Rectangle& place : places) {
    EXPECT_LE(place.x + place.width, 6 + 1e-9);
    EXPECT_LE(place.y + place.height, 4 + 1e-9);
  }
}

TEST(Treemap, WithoutWeightThereIsNothing) {
  EXPECT_TRUE(Treemap({}, {0, 0, 1, 1}).empty());
  const std::vector<uint64_t> weights = {5, 0};
  EXPECT_EQ(Treemap(weights, {0, 0, 1, 1})[1].width, 0);
}

// ---- grow ----

GrowReport Growing() {
  GrowReport report;
  report.snapshots = {"1", "2", "3"};
  report.iterations = report.planned_snapshots = 10;
  report.growing.push_back(
      {"v1:aa", "static Shop.All → []", "Shop.Order", {5, 25, 45}, {160, 800, 1440}, {0, 1000, 2000}});
  return report;
}

TEST(GrowDocument, GrowthIsPerIteration) {
  const Json fields = GrowFields(Growing(), {});
  EXPECT_FALSE(fields["ok"]);
  EXPECT_EQ(fields["growing"][0]["per_iteration"]["objects"], 2.0);     // 20 in 10
  EXPECT_EQ(fields["growing"][0]["per_iteration"]["bytes"], 64.0);      // 640 in 10
  EXPECT_EQ(fields["growing"][0]["per_iteration"]["retained"], 100.0);  // 1,000 in 10
  EXPECT_EQ(fields["growing"][0]["objects"], (std::vector<int>{5, 25, 45}));
}

TEST(GrowDocument, TextSaysWhatGrowsOrThatNothingDoes) {
  StringSink sink;
  GrowReport report = Growing();
  WriteGrowText(report, {}, {}, sink);
  EXPECT_THAT(sink.Text(), HasSubstr("GROWS 2 objects of Shop.Order an iteration, 100 B retained"));
  EXPECT_THAT(sink.Text(), HasSubstr("objects   5 → 25 → 45"));
  report.growing.clear();
  StringSink quiet;
  WriteGrowText(report, {}, {}, quiet);
  EXPECT_EQ(quiet.Text(), "nothing grows: 3 snapshots with 10 iterations between two; stopped early\n");
}

}  // namespace
}  // namespace cairn::presentation
