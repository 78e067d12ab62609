#pragma once
// What a walk in the pause and what a fork would cost, and which of the two is taken. Pure.

#include <cstdint>

#include "collector/protocol/protocol.h"

namespace cairn::collector {

// Per machine. The client measures them and sends what it knows.
struct WalkConstants {
  double ns_per_object = 9.5;                // of 44 B with 1.5 references, strings hashed
  double ns_per_slot = 2.9;                  // of arrays and objects full of references
  double fork_ns_per_resident_mib = 23'500;  // 21–27 ms per GiB at pages of 4 KiB

  static WalkConstants From(const protocol::Options& options);
};

// A header-only pass over an object.
inline constexpr double kHeaderShare = 4.4 / 9.5;

struct WalkSize {
  uint64_t objects = 0;
  uint64_t slots = 0;
  uint64_t resident_bytes = 0;  // of the process, whose page tables a fork copies
};

struct WalkEstimate {
  uint64_t pause_ns = 0;
  uint64_t fork_ns = 0;
};

// What is known before the pause is the resident set: as if all of it were small objects.
WalkSize LargestWalk(uint64_t resident_bytes);

// `count_first`: before the fork the types are counted in the pause, see ForkWalk::CountTypes.
WalkEstimate Estimate(const WalkConstants& constants, const WalkSize& size, unsigned threads, bool count_first);

enum class WalkChoice : uint8_t { kPause, kFork, kNeitherInTime };

// The cheaper way that is safe and within `limit_ns` (0: no limit); the way that was asked for, where one was.
WalkChoice Choose(const WalkEstimate& estimate, protocol::WalkMethod asked, bool fork_is_safe, uint64_t limit_ns);

// What one walker writes in the longest walk that is still preferred to such a fork: with more threads the walk may be
// longer, and each of them writes as much.
uint64_t SpoolBelowFork(const WalkConstants& constants, const WalkEstimate& estimate);

// More threads than one only where a walk is long enough for it.
unsigned WorthwhileThreads(const WalkConstants& constants, const WalkSize& size, unsigned cpus);

}  // namespace cairn::collector
