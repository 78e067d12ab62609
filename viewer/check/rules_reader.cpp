#include "viewer/check/rules_reader.h"

#include <algorithm>
#include <set>

#include "viewer/check/table_reader.h"

namespace cairn::check {
namespace {

using session::HolderKind;

constexpr RuleKind kRuleKinds[] = {RuleKind::kLimit, RuleKind::kNoGrowth, RuleKind::kHeldOnlyBy,
                                   RuleKind::kCollectibleContexts, RuleKind::kDisposed};

constexpr uint64_t kMaxTolerance = 1000;

std::string InBrackets(const std::string& key) { return "[[" + key + "]]"; }

// "no_growth Shop.*", "held_only_by event Shop.*".
std::string NameOf(const Rule& rule) {
  std::string name = RuleKindName(rule.kind);
  if (rule.kind == RuleKind::kHeldOnlyBy) name += std::string(" ") + HolderName(rule.holder);
  if (rule.by_type) name += " by type";
  return rule.types ? name + " " + rule.types->text : name;
}

class RulesReader {
 public:
  explicit RulesReader(const Words& words) : words_(words) {}

  Result<RuleSet> Read(const TomlValue& root) {
    RuleSet set;
    auto reader = TableReader::Over(root, "a rules file");
    if (!reader) return tl::make_unexpected(std::move(reader).error());
    std::optional<uint64_t> tolerance;
    CAIRN_TRY(reader->Flag("known_leaks", set.use_known_leaks));
    CAIRN_TRY(reader->Count("baseline_tolerance", tolerance));
    if (tolerance > kMaxTolerance)
      return Mistake(reader->PlaceOf("baseline_tolerance"), "baseline_tolerance is more than 1000 percent");
    set.baseline_tolerance = tolerance.value_or(0);
    for (const RuleKind kind : kRuleKinds) CAIRN_TRY(ReadRulesOf(*reader, kind, set.rules));
    std::stable_sort(set.rules.begin(), set.rules.end(),
                     [](const Rule& a, const Rule& b) { return a.place.line < b.place.line; });
    CAIRN_TRY(ReadIgnores(*reader, set));
    CAIRN_TRY(reader->Done());
    CAIRN_TRY(FinishNames(set));
    return set;
  }

 private:
  Status ReadRulesOf(TableReader& root, RuleKind kind, std::vector<Rule>& rules) {
    const auto tables = root.Tables(RuleKindName(kind));
    if (!tables) return tl::make_unexpected(tables.error());
    for (const TomlValue* table : *tables) {
      auto rule = ReadRule(*table, kind);
      if (!rule) return tl::make_unexpected(std::move(rule).error());
      rules.push_back(std::move(*rule));
    }
    return {};
  }

  Result<Rule> ReadRule(const TomlValue& table, RuleKind kind) {
    Rule rule;
    rule.kind = kind;
    rule.place = table.place;
    auto reader = TableReader::Over(table, InBrackets(RuleKindName(kind)));
    if (!reader) return tl::make_unexpected(std::move(reader).error());
    CAIRN_TRY(reader->Text("name", rule.name));
    if (kind != RuleKind::kCollectibleContexts) CAIRN_TRY(reader->Pattern("type", rule.types, words_));
    CAIRN_TRY(reader->Count("max_objects", rule.max_objects));
    CAIRN_TRY(reader->Size("max_bytes", rule.max_bytes, words_));
    CAIRN_TRY(reader->Size("max_retained", rule.max_retained, words_));
    if (kind != RuleKind::kCollectibleContexts) CAIRN_TRY(reader->Flag("may_be_absent", rule.may_be_absent));
    CAIRN_TRY(ReadDetails(*reader, rule));
    CAIRN_TRY(reader->Done());
    CAIRN_TRY(CheckMaxima(*reader, rule));
    return rule;
  }

  static Status ReadDetails(TableReader& reader, Rule& rule) {
    std::optional<size_t> chosen;
    if (rule.kind == RuleKind::kNoGrowth) {
      CAIRN_TRY(reader.Choice("by", {"fingerprint", "type"}, chosen));
      rule.by_type = chosen == 1u;
      if (rule.by_type && rule.max_retained)
        return Mistake(reader.PlaceOf("max_retained"), "max_retained needs by = \"fingerprint\"",
                       "What the objects of a type retain is not the sum of its paths.");
    }
    if (rule.kind != RuleKind::kHeldOnlyBy) return {};
    CAIRN_TRY(reader.Choice("holder", {"event", "timer", "static_collection"}, chosen));
    if (!chosen) return reader.Missing("holder", "holder = \"event\", \"timer\" or \"static_collection\"");
    rule.holder = static_cast<HolderKind>(*chosen);
    return {};
  }

  // A limit without a figure asks for nothing; the other kinds mean: not one object.
  static Status CheckMaxima(const TableReader& reader, Rule& rule) {
    if (rule.max_objects || rule.max_bytes || rule.max_retained) return {};
    if (rule.kind == RuleKind::kLimit)
      return reader.Missing("max_objects, max_bytes or max_retained", "max_objects = 0 means: none may be there.");
    rule.max_objects = 0;
    return {};
  }

  Status ReadIgnores(TableReader& root, RuleSet& set) {
    const auto tables = root.Tables("ignore");
    if (!tables) return tl::make_unexpected(tables.error());
    for (const TomlValue* table : *tables) {
      auto ignore = ReadIgnore(*table);
      if (!ignore) return tl::make_unexpected(std::move(ignore).error());
      set.ignores.push_back(std::move(*ignore));
    }
    return {};
  }

  Result<Ignore> ReadIgnore(const TomlValue& table) {
    Ignore ignore;
    ignore.place = table.place;
    auto reader = TableReader::Over(table, "[[ignore]]");
    if (!reader) return tl::make_unexpected(std::move(reader).error());
    std::optional<TomlValue::Date> until;
    CAIRN_TRY(reader->Text("rule", ignore.rule));
    CAIRN_TRY(reader->Pattern("type", ignore.types, words_));
    CAIRN_TRY(reader->Text("fingerprint", ignore.fingerprint));
    CAIRN_TRY(reader->Text("path", ignore.path));
    CAIRN_TRY(reader->Text("reason", ignore.reason));
    CAIRN_TRY(reader->Date("until", until));
    CAIRN_TRY(reader->Done());
    if (ignore.rule.empty() && !ignore.types && ignore.fingerprint.empty() && ignore.path.empty())
      return reader->Missing("rule, type, fingerprint or path", "Say which leak is meant.");
    if (ignore.reason.empty()) return reader->Missing("reason", "Say why it is ignored; it is shown in reports.");
    if (!until) return reader->Missing("until", "until = 2027-01-31: the last day on which it is ignored.");
    if (!until->ok()) return Mistake(reader->PlaceOf("until"), "there is no such day");
    ignore.until = *until;
    return ignore;
  }

  // Names tell rules apart in reports; an ignore that names none would never do anything.
  static Status FinishNames(RuleSet& set) {
    std::set<std::string> names;
    for (Rule& rule : set.rules) {
      const bool given = !rule.name.empty();
      if (!given) rule.name = NameOf(rule);
      if (names.insert(rule.name).second) continue;
      if (given) return Mistake(rule.place, "another rule is called '" + rule.name + "' too");
      rule.name += " (line " + std::to_string(rule.place.line) + ")";
      names.insert(rule.name);
    }
    for (const Ignore& ignore : set.ignores)
      if (!ignore.rule.empty() && !names.contains(ignore.rule))
        return Mistake(ignore.place, "[[ignore]] names the rule '" + ignore.rule + "', which is not there");
    return {};
  }

  const Words& words_;
};

Result<KnownLeak> ReadKnownLeak(const TomlValue& table, const Words& words) {
  KnownLeak leak;
  auto reader = TableReader::Over(table, "[[known]]");
  if (!reader) return tl::make_unexpected(std::move(reader).error());
  CAIRN_TRY(reader->Text("library", leak.library));
  CAIRN_TRY(reader->Pattern("type", leak.types, words));
  CAIRN_TRY(reader->Text("path", leak.path));
  CAIRN_TRY(reader->Text("reason", leak.reason));
  CAIRN_TRY(reader->Done());
  // By type alone a leak of the user's that has the same type would be taken for the library's.
  if (leak.path.empty()) return reader->Missing("path", "Say by which field the library holds it.");
  if (leak.library.empty() || leak.reason.empty()) return reader->Missing("library and reason", "They are shown.");
  return leak;
}

}  // namespace

bool Rule::MayBeAbsent() const {
  const bool forbids_all = kind == RuleKind::kHeldOnlyBy || kind == RuleKind::kDisposed ||
                           (kind == RuleKind::kLimit && (max_objects == 0u || max_bytes == 0u || max_retained == 0u));
  return may_be_absent.value_or(forbids_all);
}

const char* RuleKindName(RuleKind kind) {
  constexpr const char* kNames[] = {"limit", "no_growth", "held_only_by", "collectible_contexts", "disposed"};
  return kNames[static_cast<size_t>(kind)];
}

const char* HolderName(HolderKind holder) {
  constexpr const char* kNames[] = {"event", "timer", "static_collection"};
  return kNames[static_cast<size_t>(holder)];
}

Result<RuleSet> ParseRules(const std::string& text, const std::string& file, const Words& words) {
  const auto root = ParseToml(text, file);
  if (!root) return tl::make_unexpected(root.error());
  return RulesReader(words).Read(*root);
}

Result<RuleSet> ReadRules(const std::string& path, const Words& words) {
  const auto text = ReadSmallFile(path);
  if (!text) return tl::make_unexpected(text.error());
  auto set = ParseRules(*text, path, words);
  // Nothing was asked, so nothing can be said.
  if (set && set->rules.empty())
    return Fail(ErrorKind::kUsage, "check.no_rules", path + " holds no rule",
                "Begin with [[limit]], type = \"My.Type\", max_objects = 0; cairn check --help shows more.");
  return set;
}

Result<std::vector<KnownLeak>> ParseKnownLeaks(const std::string& text, const std::string& file, const Words& words) {
  const auto root = ParseToml(text, file);
  if (!root) return tl::make_unexpected(root.error());
  auto reader = TableReader::Over(*root, "a file of known leaks");
  if (!reader) return tl::make_unexpected(std::move(reader).error());
  const auto tables = reader->Tables("known");
  if (!tables) return tl::make_unexpected(tables.error());
  CAIRN_TRY(reader->Done());
  std::vector<KnownLeak> leaks;
  for (const TomlValue* table : *tables) {
    auto leak = ReadKnownLeak(*table, words);
    if (!leak) return tl::make_unexpected(std::move(leak).error());
    leaks.push_back(std::move(*leak));
  }
  return leaks;
}

}  // namespace cairn::check
