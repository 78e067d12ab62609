#pragma once
// How groups of objects grew since an earlier snapshot, and which growth another explains: where orders pile up, their
// names do too, and only the orders are told.
// Thread rule: pure functions.

#include <cstdint>
#include <span>
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
