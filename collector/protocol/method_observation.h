#pragma once
// What the observer of methods is asked for, and what it tells (collector/il). Each block begins with its MethodBlock as
// one byte. Methods, threads and types of exceptions are numbered in the order in which they come; each is told before
// a call names it.

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::protocol {

// Do not renumber.
enum class MethodTask : uint8_t {
  kList = 0,   // say what the patterns match; nothing is changed
  kTrace = 1,  // from here on the process can no longer be left
  kUndo = 2,   // make sure that nothing of an earlier trace is left
  kSums = 3,   // tell the sums of the latest trace again, which was cut off
};

// Payload of the first kOrder.
struct MethodWishes {
  MethodTask task{};
  std::vector<std::string> patterns;
  uint32_t most_methods = 1000;
  bool lines = true;     // every call is told; false: totals only
  uint32_t session = 0;  // of kSums: the one that TracingBegun told
  bool forgo_captures = false;  // trace also where no capture is possible afterwards
};
template <class A> void Fields(A& a, MethodWishes& m) {
  a(m.task); a(m.patterns); a(m.most_methods); a(m.lines); a(m.session);
  a(m.forgo_captures);
}

// The observer has counters for so many.
inline constexpr uint32_t kMostTracedMethods = 4096;

// Do not renumber.
enum class MethodBlock : uint8_t {
  kMethod = 1,     // TracedMethod
  kThread = 2,     // TracedThread
  kException = 3,  // TracedException
  kCalls = 4,      // TracedCalls
  kTotals = 5,     // MethodTotals: at the end
  kReverted = 6,   // MethodsReverted: at the end
  kProblem = 7,    // MethodProblem: nothing is traced
  kBegun = 8,      // TracingBegun: every call from here on is counted; no methods at the start of a process
  kMatched = 9,    // MethodsMatched: of kList behind the methods, and of a trace from the start at its end
};

// In a trace from the start of a process methods come as their modules are loaded; one that turns out not to be traced
// is told again, with its number.
struct TracedMethod {
  uint32_t number = 0;
  std::string name, module;
  std::string not_traced;  // why it is left alone; empty: it is traced
};
template <class A> void Fields(A& a, TracedMethod& m) { a(m.number); a(m.name); a(m.module); a(m.not_traced); }

struct TracedThread {
  uint32_t number = 0;
  uint32_t os_id = 0;  // as the target sees it
  std::string name;
};
template <class A> void Fields(A& a, TracedThread& m) { a(m.number); a(m.os_id); a(m.name); }

struct TracedException {
  uint32_t number = 0;
  std::string type;  // empty: not known
};
template <class A> void Fields(A& a, TracedException& m) { a(m.number); a(m.type); }

struct TracedCall {
  uint64_t time_ns = 0;      // CLOCK_MONOTONIC
  uint64_t duration_ns = 0;  // of a leave
  uint32_t method = 0, thread = 0;
  uint32_t exception = 0;    // of a leave; 0: none
  bool leave = false;
  bool is_inner = false;     // within another call of the method on the thread, as far as calls were counted
};
template <class A> void Fields(A& a, TracedCall& m) {
  a(m.time_ns); a(m.duration_ns); a(m.method); a(m.thread); a(m.exception); a(m.leave); a(m.is_inner);
}
// In order within a thread.
struct TracedCalls { std::vector<TracedCall> calls; };
template <class A> void Fields(A& a, TracedCalls& m) { a(m.calls); }

struct MethodTotal {
  uint32_t method = 0;
  uint64_t enters = 0, leaves = 0, exceptions = 0;  // the exceptions are among the leaves
  uint64_t total_ns = 0, longest_ns = 0;            // of the calls that were left; a recursive one: of the outermost
};
template <class A> void Fields(A& a, MethodTotal& m) {
  a(m.method); a(m.enters); a(m.leaves); a(m.exceptions); a(m.total_ns); a(m.longest_ns);
}
struct MethodTotals {
  std::vector<MethodTotal> methods;
  uint64_t lost_lines = 0;   // enters and leaves that are counted, but were not told as calls
  uint64_t not_counted = 0;  // calls on threads for which there was no room
};
template <class A> void Fields(A& a, MethodTotals& m) { a(m.methods); a(m.lost_lines); a(m.not_counted); }

struct MethodsReverted {
  uint32_t reverted = 0;
  uint32_t refused = 0;  // by the runtime
};
template <class A> void Fields(A& a, MethodsReverted& m) { a(m.reverted); a(m.refused); }

// How many methods the patterns name; no more than the wishes allow are told one by one.
struct MethodsMatched { uint64_t methods = 0; };
template <class A> void Fields(A& a, MethodsMatched& m) { a(m.methods); }

struct TracingBegun { uint32_t methods = 0, session = 0; };
template <class A> void Fields(A& a, TracingBegun& m) { a(m.methods); a(m.session); }

// The runtime did not compile the methods anew.
struct MethodProblem { uint32_t result = 0; };
template <class A> void Fields(A& a, MethodProblem& m) { a(m.result); }

}  // namespace cairn::protocol
