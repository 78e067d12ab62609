#pragma once
// The client's half of the log of methods (collector/il): wishes into bytes, blocks into calls with names.
// Thread rule: one thread. What a block says is checked; numbers that were never told are an error.

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "collector/protocol/method_observation.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

struct LoggedThread {
  uint32_t os_id = 0;  // as the target sees it
  std::string name;
};

// A call with its names. Valid until the next one comes.
struct LoggedCall {
  uint64_t time_ns = 0;  // the target's monotonic clock
  const LoggedThread* thread = nullptr;
  const std::string* method = nullptr;
  bool leave = false;
  uint64_t duration_ns = 0;
  const std::string* exception = nullptr;  // null: none; empty: of a type that is not known
};

class MethodLog {
 public:
  using Taker = std::function<Status(const LoggedCall&)>;
  // Called for each method as it is told: traced, or why not.
  using MethodTaker = std::function<void(const protocol::TracedMethod&)>;

  // Called once, when every call from then on is counted.
  using BeginTaker = std::function<void(uint32_t methods)>;

  MethodLog(Taker on_call, MethodTaker on_method, BeginTaker on_begin)
      : on_call_(std::move(on_call)), on_method_(std::move(on_method)), on_begin_(std::move(on_begin)) {}

  static std::vector<uint8_t> Bytes(const protocol::MethodWishes& wishes);
  // Errors: stream.block; methods.refused where the runtime did not compile the methods anew; what the taker returns.
  Status Take(std::span<const uint8_t> block);

  const std::vector<protocol::TracedMethod>& Methods() const { return methods_; }
  // How many the patterns of a list name, of which not all may have been told.
  uint64_t Matched() const { return std::max<uint64_t>(matched_.methods, methods_.size()); }
  // Both come at the end.
  const protocol::MethodTotals& Totals() const { return totals_; }
  const protocol::MethodsReverted& Reverted() const { return reverted_; }
  bool HasTotals() const { return has_totals_; }
  // Of the trace, for whoever asks for its sums later; 0 before it has begun.
  uint32_t Session() const { return session_; }

  // Where the totals did not come: those of another log, which asked for them; else what the calls that were told sum
  // up to. `lines`: calls were asked for, so that what was counted but not told is lost lines.
  void TakeTotalsOf(const MethodLog& other, bool lines);
  void TakeTotalsOfCalls();

 private:
  Status TakeCalls(const protocol::TracedCalls& calls);
  Status TakeThread(protocol::TracedThread thread);
  Status TakeException(protocol::TracedException exception);
  void Count(const protocol::TracedCall& call);

  Taker on_call_;
  MethodTaker on_method_;
  BeginTaker on_begin_;
  std::vector<protocol::TracedMethod> methods_;
  std::vector<LoggedThread> threads_;
  std::vector<std::string> exceptions_;
  protocol::MethodsMatched matched_;
  protocol::MethodTotals totals_;
  protocol::MethodsReverted reverted_;
  bool has_totals_ = false;
  uint32_t session_ = 0;
  std::vector<protocol::MethodTotal> told_;  // what the calls that were told sum up to
};

}  // namespace cairn::client
