#pragma once
// Sampled allocations as people look at them: by type, by stack, by method. Plain data, made once and then only read.
// Thread rule: pure functions.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snapshot-format/file/model.h"

namespace cairn::presentation {

struct AllocationReport {
  snapshot::Sampling sampling;
  // What it cost the application.
  double taken_seconds = 0;     // of its threads' time
  uint64_t left_out = 0;        // samples, to keep the costs down; the others stand for them
  uint64_t without_stack = 0;   // samples whose stack the runtime did not tell
  uint32_t one_in = 1;          // the most samples that one stood for
  bool complete = true;         // up to the end: neither the process nor the sampling ended before
  bool counted = false;         // every allocation was: nothing is estimated
  uint64_t dropped_bytes = 0;   // counted, of the objects that are in no row for want of room
  uint64_t dropped_stacks = 0;  // objects counted that stand under no stack for want of room
  bool has_costs = true;        // false: a snapshot, which does not know what its sampling cost
};

struct AllocationSum {
  uint64_t samples = 0, objects = 0, bytes = 0;
  bool exact = true;  // all of it was counted
  void Add(const snapshot::AllocationTotal& total);
};

// So far, as a share of it, may the estimated bytes be off in 19 of 20 cases; none where nothing is known (ticks), 0
// where everything was counted.
std::optional<double> Uncertainty(const snapshot::Sampling& sampling, const AllocationSum& sum);

// The same for people: "2 %", "exact", "?"; empty where there is no sample.
std::string UncertaintyWords(const snapshot::Sampling& sampling, const AllocationSum& sum);
// "25.8 %" of all that was allocated.
std::string ShareWords(const AllocationSum& sum, uint64_t whole);

struct AllocationsOfStack {
  uint32_t stack = 0;  // frame
  AllocationSum sum;
};
struct AllocationsOfType {
  std::string type;
  AllocationSum sum;
  std::vector<AllocationsOfStack> stacks;  // the largest first
};
struct AllocationsOfMethod {
  std::string method;
  AllocationSum own;                // allocated by the method itself
  uint64_t bytes_with_callees = 0;  // or by what it called; recursion counts once
};

// The largest first; among equals by name.
std::vector<AllocationsOfType> ByType(const snapshot::Sampling& sampling);
std::vector<AllocationsOfStack> ByStack(const snapshot::Sampling& sampling);
std::vector<AllocationsOfMethod> ByMethod(const snapshot::Sampling& sampling);

uint64_t AllocatedBytes(const snapshot::Sampling& sampling);

// Names of a stack's methods, innermost first; "(more frames)" last where it was cut.
std::vector<std::string> FramesOf(const snapshot::Sampling& sampling, uint32_t stack);
// "Cache.Add < Loader.Load < Program.Main": at most `most` of them.
std::string StackLine(const snapshot::Sampling& sampling, uint32_t stack, size_t most);

const char* SamplingSourceName(snapshot::SamplingSource source);  // "samples", "ticks"
// How sure its figures are: "estimated without bias: one allocation in a mean of 102,400 bytes, at random".
std::string SamplingWords(const snapshot::Sampling& sampling);

// What it cost and how sure it is, in sentences for people.
std::vector<std::string> AllocationNotes(const AllocationReport& report);

}  // namespace cairn::presentation
