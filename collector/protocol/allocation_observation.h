#pragma once
// What the observer of allocations is asked for, and what it tells (collector/sampling). Each block begins with its
// AllocationBlock as one byte. Numbers of types, methods and stacks are given in the order in which they come; each is
// told before a sample names it.

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::protocol {

// Payload of the first kOrder.
struct AllocationWishes {
  uint32_t depth = 32;            // frames kept of a stack, at most kMostDepth
  uint32_t share_ppm = 20000;     // of one core, that sampling may take; 0: any
  bool follow = false;            // tell also what collections do to objects
};
template <class A> void Fields(A& a, AllocationWishes& m) { a(m.depth); a(m.share_ppm); a(m.follow); }
inline constexpr uint32_t kMostAllocationDepth = 32;

// Later orders: one byte. Do not renumber.
enum class AllocationOrder : uint8_t {
  kStopSampling = 1,  // what is followed goes on being followed
  kResumeSampling = 2,  // answered by kBegun
};

// Do not renumber.
enum class AllocationBlock : uint8_t {
  kBegun = 1,    // AllocationsBegun: from here on allocations are sampled
  kType = 2,     // AllocationType
  kMethod = 3,   // AllocationMethod
  kStack = 4,    // AllocationStack
  kSamples = 5,  // AllocationSamples
  kCosts = 6,    // AllocationCosts: until now
  kJournal = 7,  // records of collector/protocol/journal.h as they are
  kCounts = 8,      // AllocationCounts (allocation_counts.h)
  kCountCosts = 9,  // AllocationCountCosts: until now
};

enum class AllocationSource : uint8_t { kSamples = 0, kTicks = 1, kCounted = 2 };

struct AllocationsBegun {
  AllocationSource source{};
  uint64_t mean_bytes = 0;
};
template <class A> void Fields(A& a, AllocationsBegun& m) { a(m.source); a(m.mean_bytes); }

struct AllocationType {
  uint32_t number = 0;
  uint64_t class_id = 0;  // its MethodTable
  std::string name;
};
template <class A> void Fields(A& a, AllocationType& m) { a(m.number); a(m.class_id); a(m.name); }

struct AllocationMethod {
  uint32_t number = 0;
  std::string name, module;
};
template <class A> void Fields(A& a, AllocationMethod& m) { a(m.number); a(m.name); a(m.module); }

struct AllocationStack {
  uint32_t number = 0;
  bool cut = false;               // there were more frames
  std::vector<uint32_t> methods;  // innermost first; 0: a method that is not known
};
template <class A> void Fields(A& a, AllocationStack& m) { a(m.number); a(m.cut); a(m.methods); }

struct AllocationSample {
  uint64_t key = 0;     // by which the journal names it
  uint64_t size = 0;    // of the object
  uint64_t amount = 0;  // of a tick: the bytes that it stands for
  uint32_t type = 0, stack = 0;
  uint32_t one_in = 1;  // so many samples it stands for
  bool exact = false;   // every object of this kind is told
};
template <class A> void Fields(A& a, AllocationSample& m) {
  a(m.key); a(m.size); a(m.amount); a(m.type); a(m.stack); a(m.one_in); a(m.exact);
}
struct AllocationSamples { std::vector<AllocationSample> samples; };
template <class A> void Fields(A& a, AllocationSamples& m) { a(m.samples); }

struct AllocationCosts {
  uint64_t elapsed_ns = 0;
  uint64_t taken_ns = 0;     // by samples on the application's threads
  uint64_t samples = 0;      // taken
  uint64_t left_out = 0;     // to keep the costs down; the others stand for them
  uint64_t dropped = 0;      // for want of room
  uint64_t without_stack = 0;
  uint32_t one_in = 1;       // the most samples that one stood for
};
template <class A> void Fields(A& a, AllocationCosts& m) {
  a(m.elapsed_ns); a(m.taken_ns); a(m.samples); a(m.left_out); a(m.dropped); a(m.without_stack); a(m.one_in);
}

}  // namespace cairn::protocol
