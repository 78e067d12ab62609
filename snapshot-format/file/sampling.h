#pragma once
// What a snapshot knows of where its objects were allocated: allocations that were sampled before it was taken, with
// their stacks, and which of the sampled objects it holds. FORMAT.md, "sampling", is normative.

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::snapshot {

// How allocations were sampled. On disk: do not renumber.
enum class SamplingSource : uint8_t {
  kSamples = 0,  // a byte in a stated mean, at random: what is estimated from it has no bias
  kTicks = 1,    // the allocation with which a certain amount is reached: shares are approximate
};
inline constexpr unsigned kSamplingSources = 2;

struct AllocationMethod {
  std::string name;  // "Shop.Cache.Add(System.String)"
  bool operator==(const AllocationMethod&) const = default;
};

// A stack is its innermost frame; the frames around it are its parents.
struct AllocationFrame {
  uint32_t parent = 0xFFFFFFFF;  // an earlier frame; kNoId: the outermost that is known
  uint32_t method = 0;
  bool cut = false;  // there were frames around it, beyond the depth that is kept
  bool operator==(const AllocationFrame&) const = default;
};

// What one stack allocated of one type while allocations were sampled.
struct AllocationTotal {
  std::string type;
  uint32_t stack = 0;  // frame
  uint64_t samples = 0, objects = 0, bytes = 0;
  bool exact = false;  // counted, not estimated: every sample is an object
  bool operator==(const AllocationTotal&) const = default;
};

struct AllocatedObject {
  uint64_t object = 0;  // address
  uint32_t stack = 0;   // frame
  bool operator==(const AllocatedObject&) const = default;
};

struct Sampling {
  SamplingSource source = SamplingSource::kSamples;
  double seconds = 0;       // until the snapshot
  uint64_t mean_bytes = 0;  // between two samples
  uint64_t samples = 0;     // taken
  uint64_t dropped = 0;     // not taken, for want of room or time
  uint64_t unmatched = 0;   // followed to this snapshot, where no object of their type starts at their address
  std::string lost;         // why no sample was followed; empty: all were
  std::vector<AllocationMethod> methods;
  std::vector<AllocationFrame> frames;
  std::vector<AllocationTotal> totals;
  std::vector<AllocatedObject> objects;  // in order of address, none twice
};

}  // namespace cairn::snapshot
