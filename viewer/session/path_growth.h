#pragma once
// How groups of objects grew since an earlier snapshot, and which growth another explains: where orders pile up, their
// names do too, and only the orders are told.
// Thread rule: pure functions.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "viewer/session/answers.h"

namespace cairn::session {

struct GroupSize {
  uint64_t objects = 0, bytes = 0, retained = 0;

  GroupSize& operator+=(const GroupSize& other) {
    objects += other.objects;
    bytes += other.bytes;
    retained += other.retained;
    return *this;
  }
  bool operator==(const GroupSize&) const = default;
};

// The groups of one snapshot, with the names of its types by TypeIndex.
struct NamedGroups {
  std::span<const PathGroup> groups;
  std::span<const std::string> type_names;
};

// What was added to each group of `head` since `base`. A method that happens to run gives objects a shorter path by
// its local for that moment; what only moved between paths from locals and others, counted by type, was not added.
std::vector<GroupSize> Added(const NamedGroups& base, const NamedGroups& head);

// What each group of `head` was in `base`, by fingerprint; zeros where it was not there.
std::vector<GroupSize> SizesIn(std::span<const PathGroup> base, std::span<const PathGroup> head);

// Of `candidates` (by position in `head`) those whose growth no other candidate carries, in the order of `head`.
// A group is carried by a holder that is a candidate or carried itself where it has no more members per holder than
// before (a twentieth more at most).
std::vector<uint32_t> LeadingGrowth(std::span<const PathGroup> head, std::span<const GroupSize> before,
                                    const std::vector<bool>& candidates);

// The same without growth: candidates that do not hang below another candidate.
std::vector<uint32_t> Topmost(std::span<const PathGroup> groups, const std::vector<bool>& candidates);

}  // namespace cairn::session
