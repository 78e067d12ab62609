#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/check/test_words.h"
#include "viewer/check/baseline.h"
#include "viewer/check/known_leaks.h"
#include "viewer/check/rules_reader.h"

namespace cairn::check::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

Result<RuleSet> Read(const std::string& text) { return ParseRules(text, "leaks.toml", TestWords()); }

std::string MistakeIn(const std::string& text) {
  const auto set = Read(text);
  return set ? "" : set.error().message;
}

TEST(Rules, EveryKeyIsRead) {
  const auto set = Read(
      "known_leaks = false\n"
      "[[no_growth]]\n"
      "by = \"type\"\n"
      "type = \"Shop\"\n"
      "[[limit]]\n"
      "name = \"orders\"\n"
      "type = \"Order\"\n"
      "max_objects = 10\n"
      "max_bytes = 2000\n"
      "max_retained = \"3KB\"\n"
      "may_be_absent = true\n"
      "[[held_only_by]]\n"
      "holder = \"timer\"\n"
      "[[collectible_contexts]]\n"
      "max_objects = 1\n"
      "[[disposed]]\n"
      "[[ignore]]\n"
      "rule = \"orders\"\n"
      "path = \"Cache\"\n"
      "reason = \"why\"\n"
      "until = 2027-01-31\n");
  ASSERT_TRUE(set) << set.error().message;
  EXPECT_FALSE(set->use_known_leaks);
  std::vector<std::string> names;
  for (const Rule& rule : set->rules) names.push_back(rule.name);
  EXPECT_THAT(
      names, ElementsAre("no_growth by type Shop", "orders", "held_only_by timer", "collectible_contexts", "disposed"));
  const Rule& orders = set->rules[1];
  EXPECT_EQ(orders.place, (Place{"leaks.toml", 5, 1}));
  EXPECT_EQ(orders.max_objects, 10u);
  EXPECT_EQ(orders.max_bytes, 2000u);
  EXPECT_EQ(orders.max_retained, 3000u);
  EXPECT_TRUE(orders.MayBeAbsent());
  EXPECT_FALSE(set->rules[0].MayBeAbsent());
  EXPECT_EQ(set->rules[0].max_objects, 0u);  // no growth at all
  ASSERT_EQ(set->ignores.size(), 1u);
  EXPECT_EQ(set->ignores[0].until, std::chrono::year(2027) / 1 / 31);
}

TEST(Rules, MistakesAreToldWithTheirPlace) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"[[limit]]\nmax_objects = \n", "leaks.toml:2:15: this is no TOML"},
      {"\n[[limit]]\nmax_object = 1\n", "leaks.toml:3:1: [[limit]] has no key 'max_object'"},
      {"limits = 3\n", "leaks.toml:1:1: a rules file has no key 'limits'"},
      {"[limit]\n", "leaks.toml:1:1: limit takes double brackets"},
      {"[[limit]]\ntype = \"Order\"\n", "leaks.toml:1:1: [[limit]] needs max_objects"},
      {"[[limit]]\nmax_objects = \"many\"\n", "leaks.toml:2:1: max_objects takes a whole number, not a text"},
      {"[[limit]]\nmax_objects = -1\n", "leaks.toml:2:1: max_objects is less than 0"},
      {"[[limit]]\n  max_bytes = \"big\"\n", "leaks.toml:2:3: max_bytes: no size"},
      {"[[limit]]\ntype = \"?\"\nmax_objects = 1\n", "leaks.toml:2:1: type: no pattern"},
      {"[[limit]]\ntype = 3\nmax_objects = 1\n", "leaks.toml:2:1: type takes a type pattern as a text"},
      {"[[held_only_by]]\nholder = \"event handler\"\n",
       "leaks.toml:2:1: holder takes event, timer or static_collection"},
      {"[[held_only_by]]\n", "leaks.toml:1:1: [[held_only_by]] needs holder"},
      {"[[no_growth]]\nby = \"type\"\nmax_retained = 1\n", "leaks.toml:3:1: max_retained needs by"},
      {"[[no_growth]]\nname = \"a\"\n[[no_growth]]\nname = \"a\"\n", "leaks.toml:3:1: another rule is called 'a'"},
      {"[[ignore]]\nreason = \"r\"\nuntil = 2027-01-01\n", "leaks.toml:1:1: [[ignore]] needs rule, type"},
      {"[[ignore]]\npath = \"p\"\nuntil = 2027-01-01\n", "leaks.toml:1:1: [[ignore]] needs reason"},
      {"[[ignore]]\npath = \"p\"\nreason = \"r\"\n", "leaks.toml:1:1: [[ignore]] needs until"},
      {"[[ignore]]\npath = \"p\"\nreason = \"r\"\nuntil = \"soon\"\n", "leaks.toml:4:1: until takes a date"},
      {"[[ignore]]\nrule = \"x\"\nreason = \"r\"\nuntil = 2027-01-01\n",
       "leaks.toml:1:1: [[ignore]] names the rule 'x'"},
      {"baseline_tolerance = 1001\n", "leaks.toml:1:1: baseline_tolerance is more than 1000 percent"},
      {"[[disposed]]\nmay_be_absent = 1\n", "leaks.toml:2:1: may_be_absent takes true or false"},
      {"[[collectible_contexts]]\nmay_be_absent = true\n", "leaks.toml:2:1: [[collectible_contexts]] has no key"},
      {"known_leaks = 1\n", "leaks.toml:1:1: known_leaks takes true or false"},
  };
  for (const auto& [text, message] : mistakes) EXPECT_THAT(MistakeIn(text), StartsWith(message)) << text;
}

TEST(Rules, AFileThatAsksForNothingOrIsNotThere) {
  EXPECT_EQ(ReadRules("/nowhere/leaks.toml", TestWords()).error().code, "check.no_file");
  EXPECT_EQ(ReadRules("/dev/null", TestWords()).error().code, "check.no_rules");
}

TEST(KnownLeaks, OursCanAllBeReadAndNameAField) {
  const auto leaks = BuiltInKnownLeaks(TestWords());
  ASSERT_TRUE(leaks) << leaks.error().message;
  EXPECT_GE(leaks->size(), 5u);
  for (const KnownLeak& leak : *leaks) EXPECT_THAT(leak.path, HasSubstr("."));
}

TEST(Baseline, WhatIsWrittenCanBeReadAndIsSorted) {
  Baseline written;
  written.Add("leaks", "v1:bb", {KnownSize{3, 96}, "Shop.Order: static \"x\" → []"});
  written.Add("leaks", "v1:aa", {std::nullopt, "A\\B\n"});
  written.Add("held_only_by_event", "v1:bb", {KnownSize{1, 24}, "V"});
  const std::string text = BaselineText(written);
  EXPECT_THAT(text, HasSubstr("[held_only_by_event]\n\"v1:bb\" = { objects = 1, retained = 24, where = \"V\" }\n\n"
                              "[leaks]\n\"v1:aa\" = \"A\\\\B \"\n\"v1:bb\" = { objects = 3, retained = 96, "
                              "where = \"Shop.Order: static \\\"x\\\" → []\" }\n"));
  const auto read = ParseBaseline(text, "b.toml");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->Count(), 3u);
  EXPECT_EQ(read->sections.at("leaks").at("v1:bb"), written.sections.at("leaks").at("v1:bb"));
  EXPECT_EQ(read->sections.at("leaks").at("v1:aa").where, "A\\B ");
}

TEST(Baseline, FilesOfVersion1AreReadAndHoldForEveryRule) {
  const auto read = ParseBaseline("version = 1\n[leaks]\n\"v1:aa\" = \"Shop.Order\"\n", "b.toml");
  ASSERT_TRUE(read) << read.error().message;
  for (const RuleKind kind : {RuleKind::kLimit, RuleKind::kDisposed, RuleKind::kHeldOnlyBy}) {
    Rule rule;
    rule.kind = kind;
    ASSERT_NE(read->Find(rule, "v1:aa"), nullptr);
    EXPECT_FALSE(read->Find(rule, "v1:aa")->size);
    EXPECT_EQ(read->Find(rule, "v1:ab"), nullptr);
  }
}

TEST(Baseline, MistakesAreToldWithTheirPlace) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"", "b.toml:1:1: this is no baseline"},
      {"version = 3\n", "b.toml:1:1: this cairn reads baselines of version 1 and 2"},
      {"version = 1\nleak = 1\n", "b.toml:2:1: a baseline has no key 'leak'"},
      {"version = 1\n[leaks]\n\"abc\" = \"x\"\n", "b.toml:3:1: 'abc' is no fingerprint"},
      {"version = 1\n[leaks]\n\"v1:a\" = 1\n", "b.toml:3:1: a fingerprint is followed by a table"},
      {"version = 2\n[disposed]\n\"v1:a\" = { objects = 1 }\n", "b.toml:3:10: a leak needs retained"},
      {"version = 2\n[leaks]\n\"v1:a\" = { objects = -1, retained = 1 }\n", "b.toml:3:12: objects is less than 0"},
      {"version = 2\n[leaks]\n\"v1:a\" = { object = 1 }\n", "b.toml:3:12: a leak has no key 'object'"},
      {"version = 2\n[leaks]\n\"v1:a\" = \n", "b.toml:3:"},
  };
  for (const auto& [text, message] : mistakes) {
    const auto baseline = ParseBaseline(text, "b.toml");
    ASSERT_FALSE(baseline) << text;
    EXPECT_THAT(baseline.error().message, StartsWith(message));
  }
}

TEST(Baseline, AMissingOneSaysHowToMakeIt) {
  const auto baseline = ReadBaseline("/nowhere/b.toml");
  ASSERT_FALSE(baseline);
  EXPECT_EQ(baseline.error().code, "check.no_baseline");
  EXPECT_EQ(baseline.error().kind, ErrorKind::kFailed);
  EXPECT_THAT(baseline.error().hint, HasSubstr("--write-baseline"));
}

}  // namespace
}  // namespace cairn::check::testing
