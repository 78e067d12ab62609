#pragma once
// Has something that a session keeps computed on a thread of its own, while the caller computes something else. Whoever
// asks the session for it then waits for what is left of it, or computes it where there was no thread to be had. What
// nobody came back for is cancelled.
// Thread rule: one thread owns it. Ownership: what `compute` refers to outlives it.

#include <system_error>
#include <thread>

#include "viewer/analysis/work.h"

namespace cairn::session {

class Ahead {
 public:
  // compute(work) returns what the session does: it is there to be asked for again.
  template <class Compute>
  Ahead(unsigned threads, Compute compute) {
    if (threads < 2) return;
    try {
      thread_ = std::jthread([this, compute] { (void)compute(work_); });
    } catch (const std::system_error&) {
    }
  }
  ~Ahead() { work_.Cancel(); }
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

 private:
  analysis::Work work_;
  std::jthread thread_;  // last: it ends before what it works with
};

}  // namespace cairn::session
