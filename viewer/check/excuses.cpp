#include "viewer/check/excuses.h"

#include <algorithm>

namespace cairn::check {
namespace {

std::vector<bool> Selected(const std::optional<TypeSelector>& types, std::span<const std::string> names) {
  return types ? types->select(names) : std::vector<bool>();
}

}  // namespace

uint64_t Verdict::Count(Excused::Kind kind) const {
  return static_cast<uint64_t>(
      std::count_if(excused.begin(), excused.end(), [&](const Excused& entry) { return entry.kind == kind; }));
}

Excuses::Excuses(const Policy& policy, std::span<const std::string> type_names) : policy_(policy) {
  for (const Ignore& ignore : policy.rules.ignores)
    ignores_.push_back({Selected(ignore.types, type_names), ignore.fingerprint, ignore.path});
  if (!policy.rules.use_known_leaks) return;
  for (const KnownLeak& leak : policy.known_leaks) known_.push_back({Selected(leak.types, type_names), {}, leak.path});
}

bool Excuses::Target::Fits(const session::PathGroup& group) const {
  if (!fingerprint.empty() && fingerprint != group.fingerprint) return false;
  if (!types.empty() && !(group.type.Valid() && types[group.type.value])) return false;
  return path.empty() || group.path.find(path) != std::string::npos;
}

bool Excuses::Fits(size_t ignore, const Rule& rule, const session::PathGroup& group) const {
  const std::string& named = policy_.rules.ignores[ignore].rule;
  return (named.empty() || named == rule.name) && ignores_[ignore].Fits(group);
}

const BaselineEntry* Excuses::Known(const Rule& rule, const session::PathGroup& group) const {
  return policy_.baseline ? policy_.baseline->Find(rule, group.fingerprint) : nullptr;
}

bool Excuses::IsWithin(const KnownSize& known, const session::PathGroup& group) const {
  const auto is_within = [this](uint64_t now, uint64_t before) {
    const uint64_t percent = policy_.rules.baseline_tolerance;
    const uint64_t more = before / 100 * percent + before % 100 * percent / 100;
    return now <= before || now - before <= more;
  };
  return is_within(group.objects, known.objects) && is_within(group.retained, known.retained);
}

std::optional<KnownSize> Excuses::Outgrown(const Rule& rule, const session::PathGroup& group) const {
  const BaselineEntry* known = Known(rule, group);
  return known != nullptr && known->size && !IsWithin(*known->size, group) ? known->size : std::nullopt;
}

std::optional<Excuse> Excuses::For(const Rule& rule, const session::PathGroup& group) const {
  if (const BaselineEntry* known = Known(rule, group); known && (!known->size || IsWithin(*known->size, group)))
    return Excuse{Excused::Kind::kBaseline, "it is in the baseline"};
  for (size_t i = 0; i < ignores_.size(); ++i)
    if (!IsExpired(policy_.rules.ignores[i]) && Fits(i, rule, group))
      return Excuse{Excused::Kind::kIgnored, policy_.rules.ignores[i].reason};
  for (size_t i = 0; i < known_.size(); ++i)
    if (known_[i].Fits(group))
      return Excuse{Excused::Kind::kKnown, policy_.known_leaks[i].library + ": " + policy_.known_leaks[i].reason};
  return std::nullopt;
}

std::optional<size_t> Excuses::Expired(const Rule& rule, const session::PathGroup& group) const {
  for (size_t i = 0; i < ignores_.size(); ++i)
    if (IsExpired(policy_.rules.ignores[i]) && Fits(i, rule, group)) return i;
  return std::nullopt;
}

}  // namespace cairn::check
